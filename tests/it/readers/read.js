// Answers questions about MMDB files: a list of [file, address] on standard input, a list of records on standard output.
const fs = require("fs");
const { Reader } = require(`${process.env.IPSPECT_NODE_MODULES}/mmdb-lib`);

const readers = new Map();
const answers = [];
for (const [file, address] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    if (!readers.has(file)) {
        readers.set(file, new Reader(fs.readFileSync(file)));
    }
    answers.push(readers.get(file).get(address) ?? null);
}
process.stdout.write(JSON.stringify(answers));
