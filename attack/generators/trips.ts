import fc from 'fast-check'

/** A schema with what models get wrong: types, enums, alternatives, lists, unknown keys. */
export const tripSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    pace: { enum: ['slow', 'fast'], default: 'slow' },
    note: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 4 },
    stops: { type: 'array', items: { $ref: '#/$defs/stop' } },
    either: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }] },
  },
  required: ['city', 'days'],
  $defs: {
    stop: {
      type: 'object',
      properties: { name: { type: 'string' }, hours: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
      required: ['name'],
      additionalProperties: false,
    },
  },
} as const

/** The same schema, closed, and as one of two. */
export const tripSchemas = fc.constantFrom<object>(
  tripSchema,
  { ...tripSchema, additionalProperties: false },
  {
    anyOf: [{ $ref: '#/$defs/trip' }, { type: 'array', items: { $ref: '#/$defs/trip' } }],
    $defs: { trip: tripSchema, ...tripSchema.$defs },
  },
)

const word = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('a\nb', 'x"y', '\u{1f600}', '7', 'true', 'a, b', '\n'))
const stop = fc.record({ name: word, hours: fc.oneof(fc.integer(), fc.constant(null), fc.constant('3')) }, { requiredKeys: ['name'] })

/** Values that are right for the schema, nearly right, or wrong. */
export const trips = fc.record(
  {
    city: word,
    days: fc.oneof(fc.integer(), fc.constantFrom<unknown>('2', '1,000', 2.5, null, true)),
    pace: fc.constantFrom('slow', 'SLOW', 'Fast', 'never'),
    note: fc.oneof(word, fc.constant(null), fc.integer()),
    tags: fc.oneof(fc.array(word, { maxLength: 5 }), word),
    stops: fc.oneof(fc.array(stop, { maxLength: 3 }), stop),
    either: fc.oneof(fc.integer(), fc.constantFrom<unknown>({ n: 1 }, { n: '1' }, '4', { m: 1 })),
    City: word,
    other: fc.constantFrom<unknown>(1, [1], { a: 'b' }),
  },
  { requiredKeys: ['city'] },
)

const fence = '```'

/** Where a value stands in an answer. */
export const wrappings = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `\n ${text}\n`,
  (text) => `Here it is:\n\n${fence}json\n${text}\n${fence}\n\nDone with it.`,
  (text) => `${fence}\n${text}\n${fence}`,
  (text) => `Here is [1] what you asked for:\n${text}\n\nAnything else?`,
  (text) => `Here it is:\n${text}`,
  (text) => `Here it is: ${text} as asked.`,
  (text) => `<think>Let me see {"a": 1}</think>\n${text}`,
  (text) => `[Note] See [1], {name} and - [ ] this:\n\n${fence}json5\n${text}\n${fence}\n`,
  (text) => `Not this:\n\n${fence}python\n{"days": "many"}\n[{\n${fence}\n\nbut that:\n\n${text}\n`,
  (text) => `- [ ] Do it in [0, 1) or \`{"days": "many"}\`\n\n${text}\n\n[^1]: Done.`,
  (text) => `{"days": "many"} was wrong, so:\n\n${fence}json\n${text}\n${fence}\n`,
  (text) => `So:\n{"days": "many"}.\n\n${fence}json\n${text}\n${fence}\n`,
  (text) => `So it is [{"days": "many"}] or:\n\n${fence}\n${text}\n${fence}\n`,
  (text) => `Use \`x here: ${text}`,
)

/** What models do to JSON. */
export const damages = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/"(\w+)":/g, '$1:'),
  (text) => text.replace(/([\]}])/, ',$1'),
  (text) => text.replaceAll('null', 'None').replaceAll('true', 'True'),
  (text) => text.replace(/[\]}]+$/, ''),
  (text) => text.replace(/,/, ' '),
  (text) => text.replace(/\]/, ''),
  (text) => text.replace(/": "/, '": "He said "yes" to '),
  (text) => text.replace(/(\d)/, '$1 // a comment\n'),
  (text) => text.replaceAll('\\n', '\n'),
  (text) => text.replace(/:/, ':,'),
  (text) => text.replace(/:/, '::'),
  (text) => `${text}\n${text.replace('slow', 'fast')}`,
)

/** Lengths of pieces, in turn. */
export const pieceSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

/** Cuts a text into pieces of these lengths. */
export function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
