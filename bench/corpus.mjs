import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const command = at('../packages/cli/bin/stickler.js')
/** Beside the checkout, unless the environment names another folder. */
const folder = process.env.STICKLER_CORPUS ?? at('../../shared/corpus')
/** Data formats and SQL have one grammar; of the others, parsers differ at the edges. */
const exact = ['code-json', 'code-sql', 'code-avap']

/** Recorded cases of code: how many have the expected verdict, and how many faults are found within one line of the expected one. */
export async function benchCorpus() {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^code-.*\.jsonl$/.test(name)) : []
  if (files.length === 0)
    return [{ what: 'recorded cases of code', note: `there are none in ${folder}; name their folder with STICKLER_CORPUS` }]
  return files.flatMap((name) => score(join(folder, name)))
}

function score(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const { stdout } = spawnSync(process.execPath, [command, 'check', '--jsonl', file], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const cases = lines.map((line, index) => ({ ...JSON.parse(line), result: results[index] ?? {} }))
  const name = basename(file, '.jsonl')
  const right = cases.filter(({ expect, result }) => expect.status.includes(result.status))
  const placed = right.filter(({ expect }) => expect.line)
  const near = placed.filter(({ text, expect, result }) => (result.issues ?? []).some(({ span }) => isNear(text, span, expect.line)))
  return [
    {
      what: `${name}: % of ${cases.length} with the expected verdict`,
      atLeast: exact.includes(name) ? 100 : 99,
      median: share(right, cases),
    },
    ...(placed.length > 0
      ? [{ what: `${name}: % of ${placed.length} faults within one line`, atLeast: 90, median: share(near, placed) }]
      : []),
  ]
}

/** Lines of a fenced block count from below its fence. */
function isNear(text, span, line) {
  if (span === undefined) return false
  const found = text.slice(0, span.start).split('\n').length - (text.startsWith('```') ? 1 : 0)
  return Math.abs(found - line) <= 1
}

function share(some, all) {
  return (some.length / all.length) * 100
}
