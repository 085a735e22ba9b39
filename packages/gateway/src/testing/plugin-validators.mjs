// A plugin for tests: each answer says what the validator is to do.
const fields = { severity: 'error', when: 'The answer says so.', fix: 'Leave it out.' }
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
const issue = (message = 'Leave it out.', more = {}) => ({ kind: 'issue', code: 'FOUND', message, ...more })
const hoard = []

const deeds = {
  THROW: () => {
    throw new Error('a fault with a secret path /etc/x')
  },
  LOOP: () => {
    for (;;);
  },
  FLOOD: function* () {
    for (;;) yield issue()
  },
  WRONG: () => [{ kind: 'issue', code: 'FOUND', message: 5 }],
  UNKNOWN: () => [issue('x', { code: 'OTHER' })],
  NUMBER: () => 5,
  PROMISE: () => Promise.resolve([]),
  OUTSIDE: () => [issue('x', { span: { start: 0, end: 1e9 } })],
  EXIT: () => process.exit(0),
  REJECT: () => {
    void Promise.reject(new Error('past everybody'))
    return new Promise(() => {})
  },
  HEAP: () => {
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
  },
  GETTER: () => [
    {
      get kind() {
        throw new Error('no')
      },
    },
  ],
  BUFFERS: () => {
    hoard.push(Buffer.alloc(80 * 1024 * 1024))
    return []
  },
  MUTATE: (answer) => {
    answer.text = 'Changed.'
    answer.toolCalls.push({ name: 'x', arguments: '{}' })
    return []
  },
  HUGE: () => [issue('x'.repeat(50_000_000))],
  FOUND: ({ text }) => [issue(undefined, { span: { start: text.indexOf('FOUND'), end: text.indexOf('FOUND') + 5 } })],
}

/** Does what the first word in capitals of an answer says. */
export const deed = {
  name: 'deed',
  summary: 'Does what the answer says.',
  options,
  codes: { FOUND: fields },
  instruct: () => 'Say nothing in capitals.',
  prepare: () => ({
    check(answer) {
      const [word = ''] = /[A-Z]{4,}/.exec(answer.text) ?? []
      if (word === 'HANG') return hang()
      return Object.hasOwn(deeds, word) ? deeds[word](answer) : []
    },
    *repair({ text }) {
      const start = text.indexOf('FOUND')
      yield { rule: 'lower', class: 'lossless', span: { start, end: start + 5 }, before: 'FOUND', after: 'found' }
    },
  }),
}

async function* hang() {
  await new Promise(() => {})
  yield issue()
}

export const helper = 'ignored'
