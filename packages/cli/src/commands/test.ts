import { Option } from 'commander'
import type { TestFlags } from '../cases/test-contracts.ts'
import type { CommandRecord } from './command.ts'

/** `stickler test`. */
export const test: CommandRecord = {
  name: 'test',
  summary: 'run the test cases of contracts',
  arguments: { '[file...]': 'files with cases, folders (default: .), or globs in quotes' },
  description:
    'Runs cases in YAML: each has an answer and what a contract is expected to make of it. In folders, files *.test.yaml are found.\n' +
    'Exits with 0 when all cases pass, 1 when one fails, 2 for an invalid file, configuration or command line.',
  async options(command) {
    const { caseFormats } = await import('../cases/case-report.ts')
    const { outputReader } = await import('../reports/report-writer.ts')
    command
      .option('--contract <name|file>', 'the contract of all cases, in place of those that the files name')
      .option('--config <file>', 'configuration file; default: the nearest stickler.yaml at or above the cases')
      .option('--root <dir>', 'folder for files that answers refer to; default: the folder of the cases')
      .addOption(new Option('--format <format>', 'what is printed').choices(caseFormats).default('text'))
      .option(
        '--output <format=file>',
        'also write a report to a file, such as junit=cases.xml; may be repeated',
        outputReader(caseFormats),
      )
      .option('--quiet', 'print only failures')
      .option('--watch', 'run again when a file below the current folder changes')
  },
  run: async (files, flags: TestFlags, { cli }) => (await import('../cases/test-contracts.ts')).testContracts(files, flags, cli),
}
