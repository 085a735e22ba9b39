/** The names that the files of a new validator use. */
interface Names {
  /** In snake case, as in `stickler.yaml`. */
  readonly name: string
  readonly code: string
  /** The name of the export. */
  readonly exported: string
}

/** The names of a validator. */
export function namesFor(name: string): Names {
  const [first = '', ...rest] = name.split('_').filter((word) => word !== '')
  const exported = first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return { name, code: name.toUpperCase(), exported }
}

/** A working validator to adapt. */
export function validatorSource({ name, code, exported }: Names): string {
  return `import { defineValidator, issue } from '@stickler/core'
import { quote } from '@stickler/core/validators'
import * as z from 'zod'

/** Fails when the answer uses a phrase that it must not use. */
export const ${exported} = defineValidator({
  name: '${name}',
  summary: 'The answer uses none of the given phrases.',
  options: z.strictObject({
    phrases: z.array(z.string().min(1)).min(1).default(['as an AI']).describe('Phrases that must not occur.'),
  }),
  codes: {
    ${code}: { severity: 'error', when: 'A phrase occurs that must not.', fix: 'Say it in other words.' },
  },
  // Tells the model the rule before it answers.
  instruct: ({ phrases }) => \`Do not use these phrases: \${phrases.map((phrase) => JSON.stringify(phrase)).join(', ')}.\`,
  // Starts a machine, which reads one answer: whole, or piece by piece while it is streamed.
  machine: ({ phrases }) => (reading) => {
    const longest = phrases.reduce((most, { length }) => Math.max(most, length), 0)
    const missing = new Set(phrases)
    // The end of the text, where a phrase may have begun.
    let tail = ''
    return {
      // The text before this offset may be shown.
      safe: Infinity,
      // Takes the next piece, which starts at this offset.
      read(piece, at, isEnd) {
        const text = tail + piece
        const offset = at - tail.length
        for (const phrase of missing) {
          const found = text.indexOf(phrase)
          if (found < 0) continue
          missing.delete(phrase)
          const span = { start: offset + found, end: offset + found + phrase.length }
          // The message tells the model what to do.
          reading.wrong({ start: span.start, at: span.end, issue: () => issue('${code}', \`Leave out \${quote(phrase)}.\`, { span }) })
        }
        tail = text.slice(Math.max(0, text.length - longest + 1))
        this.safe = isEnd ? Infinity : offset + text.length - tail.length
      },
    }
  },
})
`
}

/** Its test, for \`node --test\`. */
export function testSource({ name, code, exported }: Names, file: string): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, contract } from '@stickler/core'
import { assertStreamable } from '@stickler/core/testing'
import { ${exported} } from './${file}'

const rules = contract({ checks: [${exported}({ phrases: ['as an AI'] })] })

async function codesOf(answer) {
  const { issues, unchecked } = await check(rules, answer)
  assert.deepEqual(unchecked, [])
  return issues.map(({ code }) => code)
}

test('${name} reports a phrase that must not occur', async () => {
  assert.deepEqual(await codesOf('Well, as an AI I cannot say.'), ['${code}'])
})

test('${name} leaves other answers alone', async () => {
  assert.deepEqual(await codesOf('Certainly not.'), [])
})

test('${name} judges a stream as it judges the whole answer', async () => {
  for (const answer of ['Well, as an AI I cannot say.', 'as an', 'Certainly not.']) await assertStreamable(rules, answer)
})
`
}
