/** A model of the demo: its upstream, the name that it has there, and its contract. */
interface DemoRoute {
  readonly model: string
  readonly upstream: string
  readonly upstreamModel: string
  readonly contract?: string
  /** A contract that is tried on the same answers. */
  readonly shadow?: string
  readonly fallback?: readonly { readonly upstream: string; readonly model: string }[]
}

/** The scripted upstreams of the traffic, with their prices in dollars for a million tokens. */
export const demoUpstreams = {
  nova: { prompt: 2.5, completion: 10 },
  nimbus: { prompt: 0.4, completion: 1.6 },
  onsite: { prompt: 0, completion: 0 },
  legacy: { prompt: 5, completion: 15 },
} as const

/** The models of the traffic. */
export const demoRoutes: readonly DemoRoute[] = [
  { model: 'support', upstream: 'nova', upstreamModel: 'nova-large', contract: 'support-reply', shadow: 'support-next' },
  { model: 'tickets', upstream: 'nimbus', upstreamModel: 'nimbus-mini', contract: 'ticket' },
  { model: 'labels', upstream: 'onsite', upstreamModel: 'owl-7b', contract: 'label' },
  { model: 'agent', upstream: 'nova', upstreamModel: 'nova-large', contract: 'order-tools' },
  { model: 'coder', upstream: 'nimbus', upstreamModel: 'nimbus-code', contract: 'snippet' },
  { model: 'research', upstream: 'nova', upstreamModel: 'nova-large', contract: 'cited' },
  { model: 'press', upstream: 'nimbus', upstreamModel: 'nimbus-mini', contract: 'quoted' },
  { model: 'summaries', upstream: 'onsite', upstreamModel: 'owl-7b', contract: 'summary' },
  { model: 'changelog', upstream: 'nimbus', upstreamModel: 'nimbus-mini', contract: 'release-note' },
  { model: 'planner', upstream: 'nova', upstreamModel: 'nova-large', contract: 'marked' },
  { model: 'translator', upstream: 'onsite', upstreamModel: 'owl-7b', contract: 'german' },
  { model: 'archive', upstream: 'legacy', upstreamModel: 'legacy-1', contract: 'summary' },
  {
    model: 'archive-safe',
    upstream: 'legacy',
    upstreamModel: 'legacy-1',
    contract: 'summary',
    fallback: [{ upstream: 'nimbus', model: 'nimbus-mini' }],
  },
  { model: 'playground', upstream: 'onsite', upstreamModel: 'owl-7b' },
]

/** The contracts of the traffic. */
export const demoContracts = {
  'support-reply': {
    checks: [
      { sensitive: { redact: true } },
      { boilerplate: { remove: true } },
      { language: { is: 'en' } },
      { length: { words: { max: 60 } } },
    ],
    allow: ['lossless', 'lossy'],
    retries: 1,
    fallback: 'A colleague will answer you within the hour.',
  },
  // The next version of the contract above, which is only tried.
  'support-next': { checks: [{ sensitive: {} }, { language: { is: 'en' } }, { length: { words: { max: 14 } } }], retries: 1 },
  ticket: {
    checks: [
      {
        json: {
          deliver: 'value',
          schema: {
            type: 'object',
            properties: {
              category: { enum: ['billing', 'delivery', 'account', 'other'] },
              priority: { type: 'integer', minimum: 1, maximum: 5 },
              summary: { type: 'string', maxLength: 80 },
            },
            required: ['category', 'priority', 'summary'],
            additionalProperties: false,
          },
        },
      },
    ],
    retries: 1,
  },
  label: { checks: [{ one_of: { values: ['refund', 'delivery', 'complaint', 'praise'] } }], allow: ['lossless', 'guess'], retries: 1 },
  'order-tools': { checks: [{ tool_calls: { strict: true } }, 'phantom_tools'], allow: ['lossless', 'guess'], retries: 2 },
  snippet: { checks: ['code_syntax', 'complete'], retries: 1, timeoutMs: 60_000 }, // as long as the parser may take
  cited: { checks: [{ citations: { sources: 3, requireCitations: 'paragraph' } }], retries: 1 },
  // Without the number of sources a citation can be neither right nor wrong.
  quoted: { checks: ['citations'], retries: 1 },
  summary: { checks: ['repetition', 'complete', { length: { sentences: { max: 3 } } }], retries: 1 },
  'release-note': {
    checks: [
      {
        pattern: {
          require: [{ regex: String.raw`\bv\d+\.\d+\.\d+\b`, message: 'Name the version, such as v1.4.0.' }],
          deny: [{ regex: String.raw`\b(?:TODO|TBD)\b` }],
        },
      },
      { affixes: { starts: '- ' } },
    ],
    allow: ['lossless', 'lossy', 'guess'],
    retries: 1,
  },
  german: { checks: [{ language: { is: 'de' } }], retries: 1 },
} as const

/** The tools that agents are offered. */
export const demoTools = [
  {
    name: 'lookup_order',
    description: 'Shows an order.',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'], additionalProperties: false },
  },
  {
    name: 'refund_order',
    description: 'Pays an order back.',
    parameters: {
      type: 'object',
      properties: { order: { type: 'string' }, reason: { enum: ['lost', 'damaged', 'late'] } },
      required: ['order', 'reason'],
      additionalProperties: false,
    },
  },
] as const

/** What the demo evaluates on its own answers: a contract, and how somebody may have begun it. */
export const demoEvaluation = { contract: 'summary', before: 'checks:\n  - max_words: { limit: 12 }\n' } as const
