/* SPDX-License-Identifier: MIT */
/*
 * jif.js - a run of the simulator, which is an instance of the wasm module
 *
 * A listener is told what happens: write(file, text), placed(id, moved, level,
 * slot, expires), ended(id) and fired(id, tick, late); page.c says what they
 * mean. Files are a map from names to the bytes that a scenario may import.
 */
const LEVELS = ["sec", "min", "hour", "day"];
const SLOTS = [60, 60, 24, 7];
const TICKS = [1, 60, 3600, 86400];
const WEEK = 604800;
const DELAY_MAX = 2147483647;

class Jif {
	static async make(module, files, listener) {
		const jif = new Jif();
		const utf8 = () => new TextDecoder("utf-8", { ignoreBOM: true });
		const page = {
			file: (path, size) => jif.give(files, path, size),
			seen: (...seen) => jif.seen.push(seen),
		};

		for (const name of ["placed", "ended", "fired"])
			page[name] = (...what) => listener[name](...what);
		jif.decoders = { 1: utf8(), 2: utf8() };
		const made = await WebAssembly.instantiate(module, {
			page,
			wasi_snapshot_preview1: jif.system(listener)
		});
		jif.wasm = made.exports;
		jif.wasm._initialize();
		jif.spread = jif.wasm.spread();
		return jif;
	}

	/* What the C library wants: to write and to end; files are no tty. */
	system(listener) {
		const no = () => 1;

		return {
			fd_write: (file, vectors, count, written) => {
				const words = this.words(vectors, 2 * count);
				let size = 0;

				for (let n = 0; n < 2 * count; n += 2) {
					const bytes = this.bytes(words[n], words[n + 1]);

					listener.write(file, this.decoders[file]
						.decode(bytes, { stream: true }));
					size += bytes.length;
				}
				this.words(written, 1)[0] = size;
				return 0;
			},
			proc_exit: (status) => {
				throw Object.assign(Error("no memory"), { status });
			},
			fd_close: no,
			fd_fdstat_get: no,
			fd_seek: no,
		};
	}

	words(at, count) {
		return new Uint32Array(this.wasm.memory.buffer, at, count);
	}

	bytes(at, size) {
		return new Uint8Array(this.wasm.memory.buffer, at, size);
	}

	text(at) {
		return new TextDecoder().decode(
			this.bytes(at, this.bytes(at).indexOf(0)));
	}

	/* Copies bytes into the memory, with a NUL behind them. */
	put(bytes) {
		const at = this.wasm.mem_alloc(bytes.length + 1, 1);

		this.bytes(at, bytes.length).set(bytes);
		return at;
	}

	putText(text) {
		return this.put(new TextEncoder().encode(text));
	}

	give(files, path, size) {
		const bytes = files.get(this.text(path));
		const at = bytes ? this.put(bytes) : 0;

		if (bytes)
			this.words(size, 1)[0] = bytes.length;
		return at;
	}

	/* Returns the status that jifsim would exit with; 0 if it runs. */
	start(path, replay) {
		return this.wasm.start(this.putText(path), replay ? 1 : 0);
	}

	/* [id, level, slot, remaining, expires] of each pending timer */
	walk() {
		this.seen = [];
		this.wasm.walk();
		return this.seen;
	}

	name(id) {
		return this.text(this.wasm.name(id));
	}
}
