import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NewTestFlags } from '../cases/new-test.ts'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { whyNot } from '../files/why-not.ts'
import type { SourceFlags } from '../history/filter-options.ts'
import { namesFor, testSource, validatorSource } from '../templates/validator-template.ts'
import type { CommandRecord } from './command.ts'

interface NewFlags extends Pick<NewTestFlags, 'dir' | 'contract' | keyof SourceFlags> {
  readonly json?: true
}

/** `stickler new`. */
export const newFile: CommandRecord = {
  name: 'new',
  summary: 'write a validator of your own, or a test case',
  arguments: {
    '<what>': 'what to write',
    '<name>': 'of a validator: its name in snake case, such as no_hype; of a test: the id of a recorded run, or a file with answers',
  },
  description:
    'new validator NAME writes NAME.mjs, a working validator to adapt, and NAME.test.mjs, its test for `node --test`.\n' +
    'new test RUN writes RUN.test.yaml, a case for `stickler test` that expects what the contract makes of the answer today.\n' +
    'Nothing is overwritten. The lines for stickler.yaml are printed.',
  options(command) {
    command.registeredArguments[0]?.choices(['validator', 'test'])
    command
      .option('--dir <folder>', 'folder to write to; created if missing')
      .option('--contract <name|file>', 'of a test: its contract, in place of that of the run')
      .option('--config <file>', 'of a test: configuration file; default: ./stickler.yaml')
      .option('--store <url>', 'of a test: the store with the run, in place of store.url')
      .option('--url <address>', 'of a test: query a running gateway instead of its store')
      .option('--key-env <name>', 'the environment variable with the key for --url', 'STICKLER_API_KEY')
      .option('--json', 'print what was written as JSON')
  },
  async run([what, name = ''], flags: NewFlags, { cli }) {
    if (what === 'test') {
      const written = await (await import('../cases/new-test.ts')).newTest(name, flags, cli)
      if (flags.json) await cli.stdout.write(`${JSON.stringify({ written: [written] })}\n`)
      else cli.stderr.say(`wrote ${written}; remove personal data from its answers before you share it\n`)
      return exitCode.ok
    }
    await newValidator(name, flags, cli)
    return exitCode.ok
  },
}

async function newValidator(name: string, { dir = '.', json }: NewFlags, cli: Cli): Promise<void> {
  await rejectName(name)
  const names = namesFor(name)
  const folder = resolve(cli.io.cwd, dir)
  const [file, test] = [`${name}.mjs`, `${name}.test.mjs`]
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(`cannot write to ${dir}: ${whyNot(error)}`)
  })
  await writeNew(folder, [
    [file, validatorSource(names)],
    [test, testSource(names, file)],
  ])
  const shown = (one: string): string => relative(cli.io.cwd, join(folder, one)).replaceAll('\\', '/')
  if (json) return cli.stdout.write(`${JSON.stringify({ written: [shown(file), shown(test)] })}\n`)
  cli.stderr.say(`wrote ${shown(file)} and ${shown(test)}\n`)
  const plugin = /^\.?\.?\//.test(shown(file)) ? shown(file) : `./${shown(file)}`
  await cli.stdout.write(
    [
      '# Test it:',
      `#   node ${await importFlag(folder)}--test ${shown(test)}`,
      '# Use it, in stickler.yaml:',
      `plugins: [${plugin}]`,
      'contracts:',
      '  answers:',
      '    checks:',
      `      - ${name}: { phrases: [as an AI] }`,
      '',
    ].join('\n'),
  )
}

async function rejectName(name: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    const meant = name
      .slice(0, 64)
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      // backtracks: at most 128 characters
      .replace(/^[_0-9]+|_+$/g, '')
    const advice = meant === '' ? '' : `, such as ${meant}`
    throw new UsageError(`the name of a validator is in snake case${advice}`)
  }
  const { catalogue } = await import('@stickler/presets')
  if (catalogue.validators.some(({ definition }) => definition.name === name))
    throw new UsageError(`a validator named ${name} already exists; choose another name`)
}

/** Writes all files or none of them. */
async function writeNew(folder: string, files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  const written: string[] = []
  for (const [name, text] of files) {
    try {
      await writeFile(join(folder, name), text, { flag: 'wx' })
      written.push(name)
    } catch (error) {
      for (const one of written) await rm(join(folder, one), { force: true })
      throw new UsageError(`cannot write ${name}: ${whyNot(error)}`)
    }
  }
}

/** Where the test could find no installed package, Node is pointed at the packages of this command. */
async function importFlag(folder: string): Promise<string> {
  try {
    const found = createRequire(join(folder, 'any.js'))
    found.resolve('@stickler/core/package.json')
    found.resolve('zod/package.json')
    return ''
  } catch {
    const register = createRequire(import.meta.url).resolve('@stickler/gateway/internal/register')
    return `--import ${pathToFileURL(register).href} `
  }
}
