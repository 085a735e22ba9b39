import { dirname, relative, resolve } from 'node:path'
import { ConfigurationError, type Contract } from '@stickler/core'
import { nearestConfig, readCaseFile, runCase, type WrittenCase } from '@stickler/node/internal/config'
import { findFiles } from '../check/find-files.ts'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract, isFile } from '../config/choose-contract.ts'
import { readTextFile } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { openPorts } from '../ports/open-ports.ts'
import type { FinishedCase } from './case-report.ts'

/** Which cases are run, and against what. */
export interface CaseFlags {
  readonly contract?: string
  readonly config?: string
  readonly root?: string
}

/** The endings of files with cases, in folders. */
const endings = ['.test.yaml', '.test.yml']

/** Finds files with cases: those that are named, and those in folders. */
export async function findCaseFiles(written: readonly string[], cli: Cli): Promise<readonly string[]> {
  const search = { cwd: cli.io.cwd, endings, ignore: [], signal: cli.signal }
  const { files, faults, unmatched } = await findFiles(written.length === 0 ? ['.'] : written, search)
  const missing = unmatched.map((argument) => `no cases (*.test.yaml) in ${argument}`)
  if (faults.length + missing.length > 0) throw new UsageError([...faults, ...missing].join('\n'))
  if (files.includes('-')) throw new UsageError('cases are read from files, not from standard input')
  return files
}

/** Runs the cases of files one after the other; everything that is wrong with a file is reported before one of its cases runs. */
export async function* runCases(files: readonly string[], flags: CaseFlags, cli: Cli): AsyncGenerator<FinishedCase> {
  const read: { readonly file: string; readonly cases: readonly WrittenCase[] }[] = []
  const problems: ConfigurationError['problems'][number][] = []
  for (const file of files) {
    try {
      read.push({ file, cases: readCaseFile(await readTextFile(file, cli.io.cwd), file) })
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      for (const problem of error.problems) problems.push(problem)
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  for (const { file, cases } of read) yield* runFile(file, cases, flags, cli)
}

async function* runFile(file: string, cases: readonly WrittenCase[], flags: CaseFlags, cli: Cli): AsyncGenerator<FinishedCase> {
  const { io, signal } = cli
  const folder = dirname(resolve(io.cwd, file))
  const opened = new Map<string | undefined, Promise<Opened>>()
  const open = (name: string | undefined): Promise<Opened> => {
    const known = opened.get(name) ?? openContract(name, folder, flags, cli)
    opened.set(name, known)
    return known
  }
  try {
    for (const written of cases) {
      signal.throwIfAborted()
      const { contract, ports } = await placed(written, () => open(flags.contract ?? written.contract))
      const root = flags.root ?? relative(io.cwd, folder)
      const started = io.now()
      const options = { ports: ports.portsFor(root), executor: ports.executorFor(root), signal }
      const result = await placed(written, () => runCase(contract, written, options))
      signal.throwIfAborted()
      yield { file, written, result, ms: io.now() - started }
    }
  } finally {
    await Promise.all(
      [...opened.values()].map((one) =>
        one.then(
          ({ ports }) => ports.close(),
          () => {},
        ),
      ),
    )
  }
}

interface Opened {
  readonly contract: Contract
  readonly ports: Awaited<ReturnType<typeof openPorts>>
}

/** A contract that a case names: a file beside the cases, or one of the nearest configuration. */
async function openContract(name: string | undefined, folder: string, flags: CaseFlags, { io }: Cli): Promise<Opened> {
  const here = (path: string): string => relative(io.cwd, path) || '.'
  const own = flags.contract === undefined ? folder : io.cwd
  const contract = name !== undefined && isFile(name) ? `./${here(resolve(own, name))}` : name
  const found = flags.config ?? (await nearestConfig(folder))
  const config = found === undefined ? {} : { config: flags.config ?? here(found) }
  const chosen = { ...config, ...(contract === undefined ? {} : { contract }) }
  const built = buildChosen(await chooseContract(chosen, io))
  return { contract: built, ports: await openPorts({ ...chosen, ...(flags.root === undefined ? {} : { root: flags.root }) }, io, built) }
}

/** Says which case needs what cannot be had. */
async function placed<Result>({ position }: WrittenCase, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${position.file}:${position.line}:${position.column}: ${error.message}`)
  }
}
