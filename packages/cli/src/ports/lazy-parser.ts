import { dirname, resolve } from 'node:path'
import type { SyntaxParser } from '@stickler/core/syntax'
import type { OpenParser } from '@stickler/parser'
import { configName } from '../config/config-name.ts'
import { loadConfig } from '../config/files.ts'
import type { Io } from '../io.ts'

/** A parser that is opened on first use, because most commands never need it. */
export interface LazyParser extends SyntaxParser {
  /** Opens it early, so that invalid settings fail at startup. */
  open(): Promise<unknown>
  /** Rejects when the parser could not be opened because the configuration or the environment is wrong. */
  close(): Promise<void>
}

/** The parser that the configuration or the environment names, else the local one. */
export function lazyParser(file: string | undefined, io: Pick<Io, 'env' | 'cwd'>): LazyParser {
  let opening: Promise<OpenParser> | undefined
  let opened: OpenParser | undefined
  const open = (): Promise<OpenParser> => {
    opening ??= openChosen()
    return opening
  }
  async function openChosen(): Promise<OpenParser> {
    const { openParser, parserSettings } = await import('@stickler/parser')
    const config = await loadConfig(file, io)
    const folder = dirname(resolve(io.cwd, file ?? configName))
    opened = await openParser(parserSettings(config?.value.parser, { env: io.env, folder }))
    return opened
  }
  return {
    open,
    parse: async (language, source, signal) => (await open()).parse(language, source, signal),
    load: (language, signal) => (opened === undefined ? loadFirst(open, language, signal) : opened.load?.(language, signal)),
    async close() {
      await (await opening)?.close()
    },
  }
}

async function loadFirst(open: () => Promise<OpenParser>, language: string, signal: AbortSignal | undefined): Promise<void> {
  await (await open()).load?.(language, signal)
}
