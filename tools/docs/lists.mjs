// Writes the lists of the docs that come from records: `npm run lists`, after `npm run build`.
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue } from '../../packages/core/dist/index.js'
import { engineCodes } from '../../packages/core/dist/internal.js'
import { root } from '../types/typescript.mjs'
import { pageOf } from './page-check.mjs'

const definitions = catalogue.validators.map(({ definition }) => definition)
const cell = (text) => text.replaceAll('|', '\\|')
const codes = [...definitions, { name: 'engine', codes: engineCodes }]
  .flatMap(({ name, codes }) => Object.entries(codes).map(([code, entry]) => ({ code, name, ...entry })))
  // As the cells of the table, so that INVALID_ARGUMENTS_JSON comes before INVALID_ARGUMENT.
  .sort((a, b) => Number(`${a.code}\`` > `${b.code}\``) - Number(`${a.code}\`` < `${b.code}\``))

replace(
  'reference/codes.md',
  /(?<=\| code \| from .*\n.*\n)(?:\|.*\n)+/,
  codes.map(({ code, name, severity, when, fix }) => {
    const from = name === 'engine' ? name : `[${name}](${pageOf(name).replace('reference/', '')})`
    return `| \`${code}\` | ${from} | ${severity} | ${cell(when)} | ${cell(fix)} |\n`
  }),
)
replace('README.md', /\| Validators \|.*\n/, [
  `| Validators | ${definitions.map(({ name }) => `[\`${name}\`](${pageOf(name)})`).join(', ')} |\n`,
])

function replace(page, part, lines) {
  const path = `${root}docs/${page}`
  const text = readFileSync(path, 'utf8')
  if (!part.test(text)) throw new Error(`${page} has no list`)
  writeFileSync(
    path,
    text.replace(part, () => lines.join('')),
  )
}
