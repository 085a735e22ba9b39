import { contract, type Outcome } from '@stickler/core'
import type { HttpError } from '@stickler/core/internal/apis'
import { errorText, inertMarkdown, undelivered } from '@stickler/core/internal/relay'
import { helix } from '@stickler/presets/helix'
import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Target } from '../../requests/target.ts'

const numRuns = 300

/** What a reader sees, without the fences of code. */
interface Seen {
  readonly kinds: ReadonlySet<string>
  readonly words: string
}

function seen(markdown: string): Seen {
  const kinds = new Set<string>()
  let words = ''
  const walker = new Parser().parse(markdown).walker()
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { type, literal }: Node = step.node
    if (!step.entering) continue
    kinds.add(type)
    if (type === 'text' || type === 'code') words += literal ?? ''
    else if (type === 'softbreak') words += ' '
  }
  return { kinds, words }
}

const harmless = ['document', 'paragraph', 'list', 'item', 'text', 'softbreak', 'code', 'emph', 'strong']
const bits = fc.constantFrom(
  ...[
    '`',
    '``',
    '```',
    '\\',
    '<',
    '>',
    '![',
    '](',
    '[',
    ']',
    ')',
    '(',
    '<img src=x onerror=alert(1)>',
    '<!--',
    '-->',
    '&lt;',
    '&#60;',
    '!',
  ],
  ...[
    'https://evil.example/?leak',
    '\n',
    '\n\n',
    '\r\n',
    '\u2028',
    '\t',
    ' ',
    '# ',
    '- ',
    '> ',
    '---',
    '===',
    '*',
    '_',
    '~~~',
    '1. ',
    'word',
  ],
  ...['<https://evil.example>', '[a]: https://evil.example', '</code>', '"', '|', '$$', '\0', '\u00a0', '\u200b', '|-|'],
)
const said = fc.array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 14 }).map((parts) => parts.join(''))

describe('what a model says in an error that is told as text', () => {
  const targets = [
    { contract: contract({ preset: helix }), contractName: 'helix' },
    { contract: contract({ checks: [] }), contractName: 'plain' },
  ] as Target[]
  it('becomes no image, link, heading or HTML', () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 3 }), fc.constantFrom(...targets), (messages, target) => {
        const issues = messages.map((message) => ({ code: 'X_Y', severity: 'error', validator: 'v', message }))
        const outcome = { status: 'unresolved', delivered: false, text: '', issues, fixed: [], unchecked: [], attempts: 1 }
        const { kinds } = seen(
          errorText(undelivered(outcome as unknown as Outcome, target) as HttpError, [outcome as unknown as Outcome], target),
        )
        expect([...kinds].filter((kind) => !harmless.includes(kind))).toEqual([])
      }),
      { numRuns },
    )
  })
  it('is shown in the same words', () => {
    const plain = said.map((text) => `a: ${text.replace(/[*_\0]/g, '')}`)
    fc.assert(
      fc.property(plain, (text) => {
        expect(seen(inertMarkdown(text)).words).toBe(text.replace(/\s+/g, ' ').trim())
      }),
      { numRuns },
    )
  })
  it('is no address that GitHub or a chat would make a link of', () => {
    for (const text of ['www.evil.example', 'https://evil.example', 'leak@evil.example', 'mailto:a@b.c']) {
      expect(inertMarkdown(`see ${text}`)).toBe(`see \`${text}\``)
    }
  })
  it('is left as it is where nothing in it is live', () => {
    expect(inertMarkdown('ADR fehlt Section: ## Entscheidung')).toBe('ADR fehlt Section: ## Entscheidung')
  })
})
