// Runs the tests: `node tools/tests/run.mjs [--project NAME]… [-t PATTERN] [FILE]…`.
// In CI a few files that fail get a second try by themselves, and are named: what depends on load is to be fixed, but holds up nobody.
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

/** More than this is no accident. */
const mostTriedAgain = 4

const { values, positionals } = parseArgs({
  options: { project: { type: 'string', multiple: true }, testNamePattern: { type: 'string', short: 't' } },
  allowPositionals: true,
})
const first = await run(positionals)
// An error outside of tests, such as a process that ended, is not that of a file.
if (first.unhandled > 0) process.exitCode = 1
else if (first.failed.length > 0) {
  const mayTryAgain = process.env.CI === 'true' && first.failed.length <= mostTriedAgain
  process.exitCode = mayTryAgain && (await passesAlone(first.failed)) ? 0 : 1
}
// What a test has left open must not keep the process.
process.exit()

async function passesAlone(files) {
  console.log(`\nSecond try, alone:\n${files.map((file) => `  ${file}`).join('\n')}`)
  const { failed, unhandled, passed } = await run(files)
  const isGood = failed.length === 0 && unhandled === 0 && passed >= files.length
  if (isGood)
    console.log(
      `\nPassed only at the second try, so each of these depends on time or load:\n${files.map((file) => `  ${file}`).join('\n')}`,
    )
  return isGood
}

/** Runs test files, all of the projects when none is named. */
async function run(files) {
  const vitest = await startVitest('test', files, { ...values, watch: false })
  const modules = vitest.state.getTestModules()
  const isGood = (module) => module.state() === 'passed' || module.state() === 'skipped'
  const failed = modules.filter((module) => !isGood(module)).map(({ moduleId }) => relative(process.cwd(), moduleId))
  const unhandled = vitest.state.getUnhandledErrors().length
  await vitest.close()
  return { failed: [...new Set(failed)], unhandled, passed: modules.filter(isGood).length }
}
