// Checks that every regular expression of the packages runs in linear time. What was found linear is kept in linear.json, since a check takes seconds:
//   node tools/regexes/lint.mjs           judges what is new
//   node tools/regexes/lint.mjs --write   and keeps what it found
//   node tools/regexes/lint.mjs --all     judges everything again
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findRegexes } from './find.mjs'
import { complaintOf } from './judge.mjs'

const root = new URL('../../', import.meta.url)
const kept = new URL('linear.json', import.meta.url)
const isJudgedAnew = process.argv.includes('--all')

const linear = new Set(JSON.parse(readFileSync(kept, 'utf8')))
const used = new Set()
const complaints = []
for (const regex of sourceFiles().flatMap((file) => findRegexes(readFileSync(new URL(file, root), 'utf8'), file))) {
  if (regex.excused) continue
  const { source, flags, file, line } = regex
  const name = `/${source}/${flags}`
  if (source !== undefined && linear.has(name) && (!isJudgedAnew || used.has(name))) used.add(name)
  else {
    const complaint = source === undefined ? 'is not constant, so that it cannot be judged' : complaintOf(source, flags)
    if (complaint === undefined) used.add(name)
    else complaints.push(`${file}:${line} ${source === undefined ? 'RegExp' : name} ${complaint}`)
    if (complaint === undefined) linear.add(name)
  }
}

if (process.argv.includes('--write')) writeFileSync(kept, `${JSON.stringify([...used].sort(), null, 2)}\n`)
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) {
  console.error('Write a scanner, or give the reason why its text is short beside it: // backtracks: at most 80 characters')
  process.exitCode = 1
}

/** All sources of the packages that are not tests, by their path from the root. */
function sourceFiles() {
  const folder = fileURLToPath(new URL('packages/', root))
  return readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test(?:-d)?\.tsx?$/.test(path))
    .sort()
    .map((path) => `packages/${path}`)
}
