/** One answer of a scripted model of the demo; a text stands for itself. */
export type DemoAnswer =
  | string
  | {
      readonly text?: string
      readonly finishReason?: string
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[]
      /** Milliseconds before each chunk. */
      readonly delayMs?: number
      readonly failure?: { readonly kind: 'http' | 'connection'; readonly status?: number; readonly message?: string }
    }

/** One request of the demo's traffic, and what the model answers, attempt by attempt. */
export interface DemoScene {
  readonly model: string
  readonly api?: 'chat' | 'responses' | 'messages' | 'ask'
  readonly stream?: true
  /** The client that sends it. */
  readonly key: 'web-shop' | 'help-desk' | 'mobile-app' | 'ci'
  readonly session?: string
  /** Decides which answers the script gives. */
  readonly question: string
  readonly tools?: true
  readonly answers: readonly [DemoAnswer, ...DemoAnswer[]]
}

/** The key with which a client of the traffic names itself. */
export function demoKeyOf(client: string): string {
  return `demo-key-of-${client}`
}

const loop = 'The parcel is on its way to the depot, and the depot sends the parcel on its way. '

/** The traffic, in the order in which it is sent. */
export const demoScenes: readonly DemoScene[] = [
  {
    model: 'support',
    stream: true,
    key: 'web-shop',
    question: 'My parcel has not arrived. Who can help?',
    answers: ['Write to jane.miller@parcels.io with your order number; she traces parcels the same day.'],
  },
  {
    model: 'tickets',
    key: 'help-desk',
    question: 'Ticket 4711: I was charged twice for one order.',
    answers: ['{"category": "billing", "priority": 2, "summary": "Charged twice for one order"}'],
  },
  {
    model: 'labels',
    key: 'mobile-app',
    question: 'Label this: the courier left it in the rain.',
    answers: ['"Complaint."'],
  },
  {
    model: 'agent',
    key: 'web-shop',
    session: 'order-1042',
    question: 'Where is order 1042?',
    tools: true,
    answers: [{ toolCalls: [{ name: 'lookup_order', arguments: { order: '1042' } }] }],
  },
  {
    model: 'planner',
    key: 'help-desk',
    session: 'returns-portal',
    question: 'We want a returns portal.',
    answers: ['What should customers be able to do there first?\n\n<!-- STEP: what -->'],
  },
  {
    model: 'coder',
    key: 'ci',
    question: 'Print the squares of 1 to 5 in Python.',
    answers: ['```python\nfor n in range(1, 6)\n    print(n * n)\n```', '```python\nfor n in range(1, 6):\n    print(n * n)\n```'],
  },
  {
    model: 'tickets',
    stream: true,
    key: 'help-desk',
    question: 'Ticket 4712: where is my parcel?',
    answers: ['Here is the ticket:\n\n```json\n{"category": "delivery", "priority": 3, "summary": "Asks where the parcel is",}\n```'],
  },
  {
    model: 'research',
    stream: true,
    key: 'web-shop',
    question: 'Why did returns rise in May?',
    answers: [
      'Returns rose after the new size chart went live[^4].',
      'Returns rose after the new size chart went live[^1], mostly for shoes[^3].',
    ],
  },
  {
    model: 'support',
    api: 'messages',
    key: 'mobile-app',
    question: 'How do I change my address?',
    answers: [
      "Sure, here's how to do it: open your profile, choose Addresses, and save the new one. Let me know if you need anything else!",
    ],
  },
  {
    model: 'archive',
    key: 'ci',
    question: 'Summarise the complaints of 2019.',
    answers: [{ failure: { kind: 'http', status: 500 } }],
  },
  {
    model: 'playground',
    stream: true,
    key: 'mobile-app',
    question: 'Name a colour.',
    answers: ['Teal.'],
  },
  {
    model: 'agent',
    key: 'web-shop',
    session: 'order-1042',
    question: 'Then refund order 1042.',
    tools: true,
    answers: [
      { toolCalls: [{ name: 'refund_order', arguments: { order: '1042', reason: 'customer is angry' } }] },
      { toolCalls: [{ name: 'refund_order', arguments: { order: '1042', reason: 'lost' } }] },
    ],
  },
  {
    model: 'summaries',
    stream: true,
    key: 'help-desk',
    question: 'Summarise the chat about order 980.',
    answers: [loop.repeat(12), 'The parcel was sent back to the depot. The customer waits for a new date.'],
  },
  {
    model: 'labels',
    key: 'mobile-app',
    question: 'Label this: three weeks and still nothing.',
    answers: ['The label is **delivery**, since the customer waits for a parcel.'],
  },
  {
    model: 'tickets',
    api: 'responses',
    key: 'help-desk',
    question: 'Ticket 4713: my password reset never comes.',
    answers: [
      '{"category": "login", "priority": 2, "summary": "Password reset mail does not arrive"}',
      '{"category": "account", "priority": 2, "summary": "Password reset mail does not arrive"}',
    ],
  },
  {
    model: 'planner',
    key: 'help-desk',
    session: 'returns-portal',
    question: 'Customers should print a label themselves.',
    answers: ['Why is that worth more than a label in the parcel?\n\n<!-- STEP: why -->'],
  },
  {
    model: 'press',
    key: 'web-shop',
    question: 'What did the papers write about us?',
    answers: ['Two papers praised the delivery times[^1], one missed a phone number[^2].'],
  },
  {
    model: 'support',
    key: 'web-shop',
    question: 'Can you pay for it with my old card?',
    answers: ['Your card 4111 1111 1111 1111 has expired; add a new one under Payments.'],
  },
  {
    model: 'coder',
    api: 'messages',
    stream: true,
    key: 'ci',
    question: 'Count the orders of each day in SQL.',
    answers: ['```sql\nSELCT day, count(*) FROM orders GROUP BY day;\n```', '```sql\nSELECT day, count(*) FROM orders GROUP BY day;\n```'],
  },
  {
    model: 'agent',
    api: 'responses',
    key: 'mobile-app',
    session: 'order-77',
    question: 'Is order 77 paid?',
    tools: true,
    answers: [
      { toolCalls: [{ name: 'check_payment_provider', arguments: { order: '77' } }] },
      { toolCalls: [{ name: 'lookup_order', arguments: { order: '77' } }] },
    ],
  },
  {
    model: 'archive-safe',
    key: 'ci',
    question: 'Summarise the complaints of 2020.',
    answers: ['Most complaints were about late parcels. Refunds took a week.'],
  },
  {
    model: 'summaries',
    key: 'help-desk',
    question: 'Summarise the chat about order 981.',
    answers: [
      { text: 'The customer ordered two lamps and received one, and the second', finishReason: 'length' },
      'The customer ordered two lamps and received one. The second follows on Friday.',
    ],
  },
  {
    model: 'support',
    api: 'responses',
    stream: true,
    key: 'mobile-app',
    question: 'When do you open?',
    answers: [
      'Wir öffnen unser Geschäft von Montag bis Freitag um neun Uhr und am Samstag um zehn Uhr. Am Sonntag und an Feiertagen haben wir leider geschlossen.',
      'We open at nine on weekdays and at ten on Saturdays.',
    ],
  },
  {
    model: 'planner',
    key: 'help-desk',
    session: 'returns-portal',
    question: 'Paper labels get lost, and printing costs us money.',
    answers: ['Noted. Which systems must it work with, and by when?'],
  },
  {
    model: 'tickets',
    key: 'help-desk',
    question: 'Ticket 4714: everything is broken!!!',
    answers: [
      '{"category": "other", "priority": "urgent", "summary": "Everything is broken"}',
      '{"category": "other", "priority": "very urgent", "summary": "Everything is broken"}',
    ],
  },
  {
    model: 'changelog',
    key: 'ci',
    question: 'Write the note for the faster search.',
    answers: ['v2.4.0: search finds orders by part of a name.'],
  },
  {
    model: 'translator',
    stream: true,
    key: 'mobile-app',
    question: 'Translate into German: your order has been sent.',
    answers: [{ text: 'Ihre Bestellung wurde heute verschickt und ist unterwegs zu Ihnen.', delayMs: 120 }],
  },
  {
    model: 'support',
    key: 'help-desk',
    question: 'Which of your rivals is cheaper?',
    answers: ["I'm sorry, but I can't help with that.", "I'm sorry, but I cannot help with that request."],
  },
  {
    model: 'agent',
    stream: true,
    key: 'web-shop',
    session: 'order-1043',
    question: 'Look up order 1043, please.',
    tools: true,
    answers: [{ toolCalls: [{ name: 'LookupOrder', arguments: { order: '1043' } }] }],
  },
  {
    model: 'coder',
    key: 'ci',
    question: 'Greet the user in JavaScript.',
    answers: ['```js\nconst greeting = “Hello”;\nconsole.log(greeting);\n```'],
  },
  {
    model: 'press',
    api: 'messages',
    key: 'web-shop',
    question: 'Write a headline for the new app.',
    answers: ['The shop that fits into a pocket.'],
  },
  {
    model: 'archive',
    stream: true,
    key: 'ci',
    question: 'Summarise the complaints of 2021.',
    answers: [{ failure: { kind: 'connection', message: 'the provider refused the connection' } }],
  },
  {
    model: 'research',
    api: 'ask',
    key: 'web-shop',
    question: 'Why do customers send shoes back?',
    answers: ['The size chart runs small[^1], says the survey of May[^2].'],
  },
  {
    model: 'planner',
    key: 'help-desk',
    session: 'returns-portal',
    question: 'It must work with our shop, by June.',
    answers: ['The plan: a page per order, a label as PDF, a mail to the depot.\n\n<!-- STEP: generate -->'],
  },
  {
    model: 'changelog',
    key: 'ci',
    question: 'Write the note for the dark theme.',
    answers: ['- TODO: name the version of the dark theme.', '- v2.5.0: the dark theme follows the system.'],
  },
  {
    model: 'research',
    api: 'messages',
    stream: true,
    key: 'help-desk',
    question: 'Do gift cards pay off?',
    answers: ['They do. Most are spent within a month.', 'They do: most are spent within a month[^2].'],
  },
  {
    model: 'summaries',
    key: 'mobile-app',
    question: 'Summarise the chat about order 990.',
    answers: [{ text: 'The lamp arrived broken. A new one is on its way.', delayMs: 1800 }],
  },
  {
    model: 'coder',
    key: 'ci',
    question: 'Parse the price in TypeScript.',
    answers: [
      '```ts\nconst price = (text: string: number => Number(text)\n```',
      '```ts\nconst price = (text: string): number => Number(text\n```',
    ],
  },
  {
    model: 'planner',
    key: 'help-desk',
    session: 'returns-portal',
    question: 'The plan is fine, we are done.',
    answers: ['Good luck with the portal.\n\n<!-- STEP: done -->'],
  },
]
