import type { MessagePort } from 'node:worker_threads'
import { languages } from '../languages/index.ts'
import type { Language, SourceParser } from '../languages/language.ts'
import type { FromThread, Snippet, ThreadData } from './messages.ts'

/** Parses the snippets that come through a port, one at a time; grammars are loaded when they are first needed. */
export function parseSnippets(port: MessagePort, { modules }: ThreadData): void {
  const loaded = new Map<string, SourceParser>()
  const tell = (message: FromThread): void => port.postMessage(message)

  async function load(name: string): Promise<SourceParser> {
    const parse = await (await findLanguage(name, modules)).load()
    loaded.set(name, parse)
    // The time limit of the snippet starts here.
    tell({ loaded: name })
    return parse
  }

  async function parse({ language, source }: Snippet): Promise<void> {
    let cause: 'load' | 'crash' = 'load'
    try {
      const parser = loaded.get(language) ?? (await load(language))
      cause = 'crash'
      tell({ faults: parser(source) })
    } catch (error) {
      tell({ problem: error instanceof Error ? error.message : String(error), cause: isStackOverflow(error) ? 'stack' : cause })
    }
  }

  port.on('message', (snippet: Snippet) => void parse(snippet))
}

async function findLanguage(name: string, modules: ThreadData['modules']): Promise<Language> {
  const address = Object.hasOwn(modules, name) ? modules[name] : undefined
  const found =
    address === undefined
      ? languages.find((language) => language.name === name)
      : ((await import(address)) as { language?: Language }).language
  if (found === undefined) throw new Error(`${address ?? 'the parser'} has no language ${name}`)
  return found
}

/** JavaScript and WebAssembly report a full stack in the same way. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message)
}
