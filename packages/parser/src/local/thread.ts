import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Language, SourceParser } from '@stickler/core/validators'
import { languagesWith } from '../languages/with-catalogues.ts'
import type { FromThread, Load, Snippet, ThreadData } from './messages.ts'

// The entry of a parser thread: it is only ever loaded as one.
if (parentPort !== null) parseSnippets(parentPort, workerData as ThreadData)

/** Loads grammars and parses snippets as the messages of a port ask for, one at a time. */
function parseSnippets(port: MessagePort, data: ThreadData): void {
  const loaded = new Map<string, SourceParser>()
  const tell = (message: FromThread): void => port.postMessage(message)

  async function load(name: string): Promise<void> {
    try {
      const parser = await (await findLanguage(name, data)).load()
      warmUp(parser)
      loaded.set(name, parser)
      tell({ loaded: name })
    } catch (error) {
      tell({ problem: messageOf(error), cause: 'load' })
    }
  }

  function parse({ language, source }: Snippet): void {
    try {
      tell({ faults: loaded.get(language)?.(source) ?? [] })
    } catch (error) {
      tell({ problem: messageOf(error), cause: isStackOverflow(error) ? 'stack' : 'crash' })
    }
  }

  port.on('message', (message: Load | Snippet) => {
    if ('load' in message) void load(message.load)
    else parse(message)
  })
}

/** What a grammar compiles at its first use is not the fault of a snippet. */
function warmUp(parser: SourceParser): void {
  try {
    parser('x = [1]\n')
  } catch {
    // It says nothing about other snippets.
  }
}

async function findLanguage(name: string, { modules, catalogues }: ThreadData): Promise<Language> {
  const address = Object.hasOwn(modules, name) ? modules[name] : undefined
  const found =
    address === undefined
      ? languagesWith(catalogues).find((language) => language.name === name)
      : ((await import(address)) as { language?: Language }).language
  if (found === undefined) throw new Error(`${address ?? 'the parser'} has no language ${name}`)
  return found
}

/** JavaScript and WebAssembly report a full stack in the same way. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
