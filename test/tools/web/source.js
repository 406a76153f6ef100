// SPDX-License-Identifier: MIT
//
// source.js - the scripts of the page, for node
"use strict";
const fs = require("fs");

// What the scripts of tools/show/web define, together.
exports.load = (...names) => {
	const text = names.map((name) =>
		fs.readFileSync(`tools/show/web/${name}`, "utf8")).join("\n");
	const found = [...text.matchAll(/^(?:const|class|function) (\w+)/gm)]
		.map((match) => match[1]);

	return new Function(`${text}\nreturn { ${found.join(", ")} };`)();
};
