// SPDX-License-Identifier: MIT
//
// chromium.js - a page in headless Chromium, driven over its debugging pipe
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const { spawn } = require("child_process");

const KEYS = {
	" ": ["Space", 32],
	Enter: ["Enter", 13],
	Tab: ["Tab", 9],
	Delete: ["Delete", 46],
	ArrowLeft: ["ArrowLeft", 37],
	ArrowUp: ["ArrowUp", 38],
	ArrowRight: ["ArrowRight", 39],
	ArrowDown: ["ArrowDown", 40]
};
const TEXT = { " ": " ", Enter: "\r" };

class Browser {
	static async open() {
		const browser = new Browser();

		browser.profile = fs.mkdtempSync(path.join(os.tmpdir(), "jif-"));
		browser.child = spawn("chromium", ["--headless=new",
			"--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-software-rasterizer",
			"--disable-dev-shm-usage", "--hide-scrollbars",
			"--no-first-run", "--disable-extensions",
			"--disable-background-networking", "--mute-audio",
			`--user-data-dir=${browser.profile}`], {
			stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
			detached: true
		});
		browser.child.stderr.on("data", (data) => browser.said += data);
		browser.child.on("error", (error) => browser.stop(error));
		browser.child.on("exit", (code) => browser.stop(
			Error(`chromium has ended, ${code}: ${browser.said}`)));
		browser.child.stdio[3].on("error", () => {}); // it has ended
		browser.child.stdio[4].on("data", (data) => browser.read(data));
		const { targetInfos } = await browser.call("Target.getTargets");
		const { targetId } = targetInfos.find(({ type }) =>
			type === "page");
		browser.session = (await browser.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await browser.call(domain + ".enable");
		return browser;
	}

	constructor() {
		this.said = "";
		this.rest = Buffer.alloc(0);
		this.waiting = new Map();
		this.count = 0;
		this.problems = []; // what the console shows
		this.requests = []; // what the page asks for
	}

	stop(error) {
		for (const { fail } of this.waiting.values())
			fail(error);
		this.waiting.clear();
	}

	read(data) {
		let end;

		this.rest = Buffer.concat([this.rest, data]);
		while ((end = this.rest.indexOf(0)) >= 0) {
			const message = JSON.parse(this.rest.subarray(0, end));

			this.rest = this.rest.subarray(end + 1);
			this.take(message);
		}
	}

	take({ id, result, error, method, params }) {
		const wait = this.waiting.get(id);

		this.waiting.delete(id);
		if (wait)
			error ? wait.fail(Error(error.message)) : wait.done(result);
		if (method === "Runtime.exceptionThrown")
			this.problems.push(params.exceptionDetails.exception
				.description);
		if (method === "Runtime.consoleAPICalled")
			this.problems.push(params.args.map(({ value }) => value)
				.join(" "));
		if (method === "Log.entryAdded")
			this.problems.push(params.entry.text);
		if (method === "Network.requestWillBeSent")
			this.requests.push(params.request.url);
	}

	call(method, params) {
		const id = ++this.count;
		const message = { id, method, params, sessionId: this.session };

		this.child.stdio[3].write(JSON.stringify(message) + "\0");
		return new Promise((done, fail) =>
			this.waiting.set(id, { done, fail }));
	}

	async go(url) {
		await this.eval("globalThis.isLeft = true");
		await this.call("Page.navigate", { url });
		await this.until(`!globalThis.isLeft && location.href === "${url}" &&
			document.readyState === "complete"`);
	}

	// What an expression of the page is; promises are waited for.
	async eval(expression) {
		const { result, exceptionDetails } = await this.call(
			"Runtime.evaluate", {
				expression,
				awaitPromise: true,
				returnByValue: true,
				replMode: true
			});

		if (exceptionDetails)
			throw Error(exceptionDetails.exception.description);
		return result.value;
	}

	// Until an expression is true; half a minute is for ever.
	async until(expression) {
		let wrong;

		for (let n = 0; n < 1500; n++) {
			const is = await this.eval(expression).catch((error) =>
				wrong = error);

			if (is && is !== wrong)
				return;
			await new Promise((done) => setTimeout(done, 20));
		}
		throw Error(`never: ${expression}; ${wrong}`);
	}

	async clickAt(x, y) {
		for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
			await this.call("Input.dispatchMouseEvent", {
				type,
				x,
				y,
				button: type === "mouseMoved" ? "none" : "left",
				clickCount: 1
			});
	}

	// In the middle of what a selector finds.
	async click(selector) {
		const { x, y } = await this.eval(`(() => {
			const found = document.querySelector(${
				JSON.stringify(selector)});
			found.scrollIntoView({ block: "center" });
			const box = found.getBoundingClientRect();
			return { x: box.x + box.width / 2,
				y: box.y + box.height / 2 };
		})()`);

		await this.clickAt(x, y);
	}

	async key(key, modifiers) {
		const [code, number] = KEYS[key] || ["Key" + key.toUpperCase(), key.toUpperCase().charCodeAt(0)];
		const event = {
			key,
			code,
			windowsVirtualKeyCode: number,
			modifiers: modifiers || 0
		};
		const text = modifiers ? undefined :
			TEXT[key] || (KEYS[key] ? undefined : key);

		await this.call("Input.dispatchKeyEvent", { ...event, type: text ? "keyDown" : "rawKeyDown", text });
		await this.call("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
	}

	async type(text) {
		for (const key of text)
			await this.key(key);
	}

	async look(width, height, { dark, mobile, still } = {}) {
		await this.call("Emulation.setDeviceMetricsOverride", {
			width,
			height,
			deviceScaleFactor: mobile ? 2 : 1,
			mobile: !!mobile
		});
		await this.call("Emulation.setEmulatedMedia", {
			features: [
				{
					name: "prefers-reduced-motion",
					value: still ? "reduce" : "no-preference"
				},
				{
					name: "prefers-color-scheme",
					value: dark ? "dark" : "light"
				}]
		});
	}

	async picture(file) {
		const { data } = await this.call("Page.captureScreenshot", { captureBeyondViewport: true });

		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	close() {
		this.child.removeAllListeners("exit");
		process.kill(-this.child.pid, "SIGKILL"); // and its children
		fs.rmSync(this.profile, {
			recursive: true,
			force: true,
			maxRetries: 20,
			retryDelay: 50
		});
	}
}

exports.Browser = Browser;
