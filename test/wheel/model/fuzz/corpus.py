#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: test/wheel/model/fuzz/corpus.py unpack|pack FILE FOLDER

The inputs of a fuzzer: lines of FILE, in hexadecimal digits or as a literal of
Python's; and a file each in FOLDER.
"""
import ast
import os
import sys


def read(path):
    with open(path, encoding='ascii') as file:
        return [ast.literal_eval(line) if line.startswith(('b"', "b'")) else
                bytes.fromhex(line) for line in file]


def write(path, inputs):
    with open(path, 'w', encoding='ascii') as file:
        for data in sorted(inputs, key=lambda data: (len(data), data)):
            file.write(min(data.hex(), repr(data), key=len) + '\n')


def unpack(path, folder):
    os.makedirs(folder, exist_ok=True)
    for number, data in enumerate(read(path)):
        with open(f'{folder}/{number}', 'wb') as file:
            file.write(data)


def pack(path, folder):
    inputs = []
    for entry in os.scandir(folder):
        with open(entry, 'rb') as file:
            inputs.append(file.read())
    write(path, inputs)


if __name__ == '__main__':
    {'unpack': unpack, 'pack': pack}[sys.argv[1]](*sys.argv[2:])
