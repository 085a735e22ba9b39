import type { Issue, Run } from '../api/run-types.ts'
import { seedNow } from './seed.ts'

const written =
  'Sure, here is the answer:\n\nYour refund is on its way, Jane. 😀 We wrote to [EMAIL] and [EMAIL] on Monday.\r\nMore in [the help centre](javascript:alert(1)) or [the shop](https://shop.example).\n\nIs there anything else?'
const delivered =
  'Your refund is on its way, Jane. 😀 We wrote to [EMAIL] and [EMAIL] on Monday.\r\nMore in [the help centre](#) or [the shop](https://shop.example).\r\n\r\n<!-- STEP: done -->'

const issue = (code: string, validator: string, message: string, span?: readonly [number, number]): Issue => ({
  ...{ code, validator, message, severity: 'error' },
  ...(span === undefined ? {} : { span: { start: span[0], end: span[1] } }),
})

/** What the checks found, as a gateway recorded it: spans count in the text before redactions. */
const found = [
  issue('SENSITIVE', 'sensitive', 'Leave out the e-mail address in line 3.', [75, 92]),
  issue('SENSITIVE', 'sensitive', 'Leave out the e-mail address in line 3.', [97, 113]),
  issue('LINK_NOT_ALLOWED', 'links', 'Do not link to "javascript:" addresses; line 4 does.', [152, 171]),
  issue('PREAMBLE', 'boilerplate', 'Begin with the answer itself; leave out "Sure, here is the answer:".', [0, 27]),
  issue('CLOSING_OFFER', 'boilerplate', 'End with the answer itself; leave out "Is there anything else?".', [211, 234]),
  issue('MISSING_STEP_MARKER', 'step_marker', 'Add a STEP marker; the answer has none.'),
]

/** A run with two attempts, repairs, a stream and a pipeline. */
export function seedRun(id: string, more: Partial<Run> = {}): Run {
  const usage = { promptTokens: 412, completionTokens: 118, cost: 0.00035 }
  return {
    ...{
      id,
      requestId: 'req_4c1f20b6-7a31',
      choice: 0,
      session: 'chat-8812',
      at: seedNow - 90_000,
      ms: 2840,
      firstTextMs: 912,
      addedMs: 34,
    },
    ...{
      api: 'chat',
      stream: true,
      model: 'gpt-5-mini',
      upstream: 'openai',
      upstreamModel: 'gpt-5-mini-2026-08',
      contract: 'support-answer',
    },
    ...{ key: 'helpdesk', status: 'repaired', reason: 'clean', httpStatus: 200, delivered: true, facts: { step: 'done' } },
    usage: { promptTokens: 824, completionTokens: 231, cost: 0.0007 },
    attempts: [
      {
        ...{ number: 1, call: 'run', ms: 1180, finishReason: 'stop', usage, decision: 'retry' },
        issues: [issue('MAX_WORDS', 'max_words', 'Cut the answer to at most 60 words; it has 74.')],
        text: `${written}\n\nAs a company that cares about its customers we would like to tell you more about how refunds work at our bank.`,
        feedback:
          'IMPORTANT: Your last answer had validation errors. Please correct:\n\n**MAX_WORDS**: Cut the answer to at most 60 words; it has 74.\n\nPlease repeat your answer with the corrections.',
      },
      { number: 2, call: 'continue', ms: 1420, finishReason: 'stop', usage, decision: 'deliver', issues: found, text: written },
    ],
    issues: [],
    fixed: found,
    repairs: [
      { rule: 'redact-email', class: 'lossy', span: { start: 75, end: 92 }, before: '[hidden]', after: '[EMAIL]', secret: true },
      { rule: 'redact-email', class: 'lossy', span: { start: 97, end: 113 }, before: '[hidden]', after: '[EMAIL]', secret: true },
      { rule: 'remove-target', class: 'lossy', span: { start: 133, end: 152 }, before: 'javascript:alert(1)', after: '#' },
      { rule: 'drop-preamble', class: 'lossy', span: { start: 0, end: 27 }, before: 'Sure, here is the answer:\n\n', after: '' },
      { rule: 'drop-offer', class: 'lossy', span: { start: 172, end: 197 }, before: '\n\nIs there anything else?', after: '' },
      { rule: 'append-step-marker', class: 'lossless', span: { start: 145, end: 145 }, before: '', after: '\r\n\r\n<!-- STEP: done -->' },
    ],
    unchecked: [{ validator: 'remote', cause: 'timeout', message: 'The rule "tone" did not answer within 2 s.', circuit: 'half-open' }],
    counts: { attempts: 2, issues: 0, fixed: 6, repairs: 6 },
    request: 'Where is my refund?',
    prompt: [
      { role: 'system', text: 'You are the help desk of a shop. Answer in at most 60 words.' },
      { role: 'user', text: 'Where is my refund?' },
    ],
    shadow: {
      contract: 'support-answer-next',
      status: 'unresolved',
      liveStatus: 'repaired',
      codes: 'MAX_WORDS,TOO_FORMAL',
      liveCodes: 'PREAMBLE',
    },
    timeline: '700:0:20 912:20 1010:46:10 1150:46:37 1300:46:0:2 1900:80 2210:112 2600:140 2840:169',
    text: delivered,
    pipeline: [
      { node: 'classify', ms: 12, type: { is: 'question', by: 'rule' } },
      {
        node: 'retrieve',
        ms: 48,
        chunks: [
          { urn: 'manual:refunds#2', score: 0.0328 },
          { urn: 'manual:payments#1', score: 0.0161 },
        ],
      },
      { node: 'check_context_relevance', ms: 3, relevance: { relevant: true, strategy: 'lexical', score: 0.412 } },
      { node: 'generate', ms: 2700, attempts: 2 },
    ],
    ...more,
  }
}

/** A run of which no text is kept. */
export function seedRunWithoutTexts(id: string): Run {
  const { text: _text, request: _request, prompt: _prompt, ...run } = seedRun(id)
  return {
    ...run,
    attempts: run.attempts.map(({ text: _own, feedback: _feedback, ...attempt }) => attempt),
    repairs: run.repairs.map((repair) => ({ ...repair, before: '', after: '' })),
  }
}

/** A run whose answer only calls tools: the first attempt was wrong, and repairs changed arguments of the second. */
export function seedCallingRun(id: string): Run {
  const wrong = [{ name: 'refund_order', arguments: '{"order": 17, "amount": "12.50"' }]
  const written = [
    { name: 'refund_order', arguments: '{"order": "A-17", "amount": "12.50", "tags": []}' },
    { name: 'send_mail', arguments: '{"to":"jane","lines":["Hello","Bye"]}' },
  ]
  const path = ['tool_calls', 0, 'arguments', 'amount']
  const wrongType: Issue = { ...issue('WRONG_TYPE', 'tool_calls', 'Give amount as a number.'), path }
  return seedRun(id, {
    ...{ stream: false, text: '', issues: [], fixed: [wrongType], counts: { attempts: 2, issues: 0, fixed: 1, repairs: 1 } },
    attempts: [
      {
        ...{ number: 1, call: 'run', ms: 900, finishReason: 'tool_calls', decision: 'retry', text: '', toolCalls: wrong },
        issues: [{ ...issue('INVALID_JSON', 'tool_calls', 'Close the object.'), path: ['tool_calls', 0, 'arguments'] }],
      },
      {
        number: 2,
        call: 'continue',
        ms: 800,
        finishReason: 'tool_calls',
        decision: 'deliver',
        issues: [wrongType],
        text: '',
        toolCalls: written,
      },
    ],
    repairs: [
      {
        ...{ rule: 'coerce-number', class: 'lossless', before: '"12.50"', after: '12.50', path: ['amount'] },
        span: { start: 28, end: 35 },
        in: { call: 0, part: 'arguments' },
      },
    ],
    toolCalls: [{ name: 'refund_order', arguments: '{"order": "A-17", "amount": 12.50, "tags": []}' }, ...written.slice(1)],
  })
}
