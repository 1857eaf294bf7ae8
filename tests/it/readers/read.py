"""Answers questions about MMDB files: a list of [file, address] on standard input, a list of records on standard output."""

import json
import sys

import maxminddb

readers = {}
answers = []
for file, address in json.load(sys.stdin):
    if file not in readers:
        readers[file] = maxminddb.open_database(file, maxminddb.MODE_MMAP_EXT)
        kind = type(readers[file])
        assert kind.__module__ == "maxminddb.extension", f"{kind} is not the C extension"
    answers.append(readers[file].get(address))
json.dump(answers, sys.stdout)
