import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type Leak, LeakScanner } from './leak-scanner.ts'
import { type BodyPlace, EchoFinder, type PromptEcho, type SecretPrompt } from './prompt-echo.ts'
import { readHead, type TemplateHead } from './template-tokens.ts'

/** What is looked for. */
export interface LeakSearch {
  readonly inCode: boolean
  readonly allowed: ReadonlySet<string>
}

/** Tokens that an answer starts with, and how they are removed. */
interface FoundHead {
  readonly leak: Leak
  /** The line in which the answer itself starts. */
  readonly line: number
  readonly removal: Certificate
}

/** What an answer has. */
export interface FoundLeaks {
  readonly head: FoundHead | undefined
  /** The others, in text order. */
  readonly rest: readonly Leak[]
  /** Where the tokens start that the answer ends with; its length when it has none. */
  readonly tail: number
  readonly echo: PromptEcho | undefined
}

/** More text than this does not start with tokens alone. */
export const longestHead = 1000

/** Finds what shows of the template and of the prompt in a whole answer. */
export function findLeaks(answer: Answer, search: LeakSearch, secret?: SecretPrompt): FoundLeaks {
  const { text, bodyStart } = answer
  const body = text.slice(bodyStart)
  const start = readHead(body.slice(0, longestHead), body.length <= longestHead)
  const line = linesIn(text, bodyStart)
  const head = start ? foundHead(start, body, { start: bodyStart, line }, search) : undefined
  const from = head?.removal.span.end ?? bodyStart
  const scanner = new LeakScanner(from, head?.line ?? line)
  scanner.push(text.slice(from))
  scanner.end()
  const found = scanner.found.filter((leak) => !search.allowed.has(leak.text))
  // The end of what is struck out in HTML is no token.
  const struck = text.search(/<s>/i)
  const isLast = ({ start, code }: Leak): boolean =>
    code === 'TEMPLATE_TOKEN' && start >= scanner.lastVisible && (struck < 0 || struck > start || !text.startsWith('</s>', start))
  const rest = found.filter((leak) => (leak.onlyAtEnd ? isLast(leak) : search.inCode || !answer.inCode(leak.start)))
  const tail = rest.find(isLast)?.start ?? text.length
  const echoes = secret && new EchoFinder(secret, { start: bodyStart, line })
  echoes?.push(body)
  echoes?.end()
  return { head, rest, tail, echo: echoes?.found }
}

/** The tokens that a body starts with, unless they are allowed. */
export function foundHead({ first, end }: TemplateHead, body: string, at: BodyPlace, { allowed }: LeakSearch): FoundHead | undefined {
  if (allowed.has(first.text)) return undefined
  const span = { start: at.start + first.start, end: at.start + end }
  const leak: Leak = {
    ...first,
    start: span.start,
    end: at.start + first.end,
    code: 'TEMPLATE_TOKEN',
    line: at.line + linesIn(body, first.start) - 1,
  }
  const before = body.slice(first.start, end)
  return {
    leak,
    line: at.line + linesIn(body, end) - 1,
    removal: { rule: 'remove-template-tokens', class: 'lossless', span, before, after: '' },
  }
}

/** The number of the line that an offset is in. */
export function linesIn(text: string, end: number): number {
  return text.slice(0, end).split('\n').length
}
