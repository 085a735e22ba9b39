import { parseCitations } from '@stickler/presets/reddb'
import fc from 'fast-check'
import { citations } from '../../bench/complexity/grammars.mjs'
import { type Attack, attackWith, same } from '../attack.ts'
import { mixedTexts } from '../generators/texts.ts'
import { slowMarkers } from '../oracles/markers.ts'

const markers = [
  '[^1]',
  '[^12]',
  '[^0]',
  '[^4294967295]',
  '[^4294967296]',
  '[^',
  '[',
  ']',
  '^',
  '\\',
  '\\\\',
  '1',
  'é',
  '👍',
  '\ud83d',
  '```',
  '\n',
  '[^\n',
]
const texts = fc.oneof(
  mixedTexts,
  fc.array(fc.constantFrom(...markers, ...citations.tokens), { maxLength: 20 }).map((tokens) => tokens.join('')),
)

/** The scanner of citations against the slow, obvious one; another scanner is for tests of the attack. */
export function citationsAttack(parse: typeof parseCitations = parseCitations): Attack {
  return {
    name: 'citations',
    compares: 'citation markers, with those of a slow, obvious scanner',
    start: async () => attackWith(texts, (text) => compare(text, parse)),
  }
}

function compare(text: string, parse: typeof parseCitations): void {
  const { citations: cited, warnings } = parse(text, 2)
  const slow = slowMarkers(text)
  const spans = (list: readonly { readonly span: object }[]): object[] => list.map(({ span }) => span)
  const slowSpans = (list: typeof slow): object[] => list.map(({ start, end }) => ({ start, end }))
  const numbered = slow.filter(({ number }) => number !== undefined)
  same(
    'numbers',
    cited.map(({ marker }) => marker),
    numbered.map(({ number }) => number),
  )
  same('places of citations', spans(cited), slowSpans(numbered))
  same('places of what is wrong', spans(warnings), slowSpans(slow.filter(({ number = 3 }) => number > 2)))
  same(
    'what is malformed',
    warnings.filter(({ kind }) => kind === 'malformed').map(({ detail }) => detail),
    slow.flatMap(({ detail }) => detail ?? []),
  )
}
