import { parseArgs } from 'node:util'
import { benchAnswer } from './answer.mjs'
import { benchHostile } from './hostile.mjs'
import { benchJson } from './json.mjs'
import { printTable, writePage } from './report.mjs'
import { benchStream } from './stream.mjs'

const groups = { answer: benchAnswer, stream: benchStream, hostile: benchHostile, json: benchJson }
const usage = `usage: npm run bench [-- [${Object.keys(groups).join('] [')}] [--write --date YYYY-MM-DD]]`

const { chosen, write, date } = readArguments()
for (const name of chosen) {
  console.log(`\n${name}`)
  const rows = await groups[name]()
  printTable(rows)
  if (write) await writePage(name, rows, date)
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' }, date: { type: 'string' } } })
    const unknown = positionals.find((name) => !Object.hasOwn(groups, name))
    if (unknown !== undefined) throw new Error(`there is no group ${unknown}`)
    if (values.write && !/^\d{4}-\d\d-\d\d$/.test(values.date ?? '')) throw new Error('--write needs --date')
    return { chosen: positionals.length > 0 ? positionals : Object.keys(groups), ...values }
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}
