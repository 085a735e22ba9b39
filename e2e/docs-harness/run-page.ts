import { mkdir, rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { writeFiles } from '../support/places.ts'
import { readCommands, runCommand } from './console-block.ts'
import { matches, trimEnd } from './expectation.ts'
import { runModule, writeModule } from './module-block.ts'
import { answersFor, type Block, isRun, readPage } from './page.ts'
import { startProvider } from './scripted-provider.ts'

/** A page with the folder in which it is run. */
export interface Page {
  readonly name: string
  readonly markdown: string
  readonly folder: string
}

/** Writes everything of a page that the type checker should see, run or not. */
export async function preparePage({ name, markdown, folder }: Page): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const block of readPage(name, markdown)) {
    if (block.file !== undefined) await writeFiles(folder, { [block.file]: `${block.text}\n` })
    else if (block.language === 'ts') await writeModule(block, folder)
  }
}

/** Runs a page from top to bottom; fails at the first block that does not do what the page says. */
export async function runPage({ name, markdown, folder }: Page): Promise<void> {
  await mkdir(folder, { recursive: true })
  const blocks = readPage(name, markdown)
  for (const [index, block] of blocks.entries()) {
    if (block.file !== undefined) await writeFiles(folder, { [block.file]: `${block.text}\n` })
    else if (!isRun(block)) continue
    else if (block.language === 'console') await runConsole(name, block, folder)
    else await runCode(name, block, blocks[index + 1], folder, answersFor(name, block, blocks))
  }
}

async function runCode(page: string, block: Block, next: Block | undefined, folder: string, answers?: readonly string[]): Promise<void> {
  const path = await writeModule(block, folder)
  const stop = answers && (await startProvider(answers))
  let printed: string
  try {
    printed = await runModule(path, folder)
  } catch (cause) {
    throw new Error(`${page}:${block.line}: the block throws: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    stop?.()
  }
  if (next?.isOutput) expectPrinted(`${page}:${next.line}: the block above prints something else`, printed, next.text)
}

async function runConsole(page: string, block: Block, folder: string): Promise<void> {
  for (const { line, command, expected, exitCode } of readCommands(block)) {
    const { code, output } = await runCommand(command, folder)
    expectPrinted(`${page}:${line}: $ ${command} prints something else`, output, expected)
    expect(code, `${page}:${line}: exit code of $ ${command}`).toBe(exitCode)
  }
}

function expectPrinted(message: string, printed: string, expected: string): void {
  if (!matches(printed, expected)) expect(trimEnd(printed), message).toBe(trimEnd(expected))
}
