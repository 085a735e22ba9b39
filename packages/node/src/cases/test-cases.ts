import { AssertionError } from 'node:assert'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract, Environment, Ports } from '@stickler/core'
import { nodeFiles } from '../files/node-files.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { caseContracts } from './case-contracts.ts'
import { readCaseFile } from './case-file.ts'
import { describeDifferences, runCase } from './run-case.ts'

/** Settings of `testCases`. */
export interface TestCasesOptions {
  /** The contract of all cases, in place of those that the file names. */
  readonly contract?: Contract
  /** The configuration with the contracts; the nearest `stickler.yaml` at or above the file when absent. */
  readonly config?: string | URL
  /** What validators may use; files are read below the folder of the cases. */
  readonly ports?: Ports
  /** Variables that the configuration names. */
  readonly env?: Environment
}

/** One case of a file, for any test runner. */
export interface TestCase {
  readonly name: string
  /** Where it is written. */
  readonly line: number
  /** Rejects with an AssertionError when something is not as expected. */
  run(): Promise<void>
}

/** Larger files are rejected, in bytes. */
const largest = 16 * 1024 * 1024

/** Reads the cases of a YAML file: `for (const { name, run } of await testCases('answers.test.yaml')) test(name, run)`. */
export async function testCases(file: string | URL, options: TestCasesOptions = {}): Promise<readonly TestCase[]> {
  const path = resolve(pathOf(file))
  const folder = dirname(path)
  const around = { env: options.env ?? {}, cwd: folder, readFile: (one: string) => readRegularFile(one, largest) }
  const find = caseContracts(folder, around, options.config === undefined ? undefined : resolve(pathOf(options.config)))
  const ports = { files: nodeFiles(folder), ...options.ports }
  const cases = readCaseFile(await around.readFile(path), String(pathOf(file)))
  // A contract that cannot be found is a mistake of the file, not of one case.
  const contracts = await Promise.all(cases.map(({ contract }) => options.contract ?? find(contract)))
  return cases.map((one, at) => ({
    name: one.name,
    line: one.position.line,
    async run() {
      const { differences } = await runCase(contracts[at] as Contract, one, { ports })
      if (differences.length === 0) return
      const { file: shown, line, column } = one.position
      throw new AssertionError({
        message: `${one.name} (${shown}:${line}:${column})\n${describeDifferences(differences)}`,
        actual: Object.fromEntries(differences.map(({ what, actual }) => [what, actual])),
        expected: Object.fromEntries(differences.map(({ what, expected }) => [what, expected])),
        operator: 'expect',
      })
    },
  }))
}

function pathOf(file: string | URL): string {
  return typeof file === 'string' ? file : fileURLToPath(file)
}
