import { expect, test } from 'vitest'
import { extractsFor } from './extract.ts'

const handbook = [
  `Handbook › Holidays

## Leave

Every employee has thirty days of leave a year. Leave that is not taken by March is lost. Ask your manager for it two weeks ahead.

## Sickness

Whoever is ill calls the office before nine. A certificate is due on the third day.`,
  `Server › Storage
Orders are kept in PostgreSQL. Old orders go after \`store.retentionDays\`, which is 90 unless it is set.

| code | meaning |
| --- | --- |
| STORE_OFFLINE | The database cannot be reached. |

\`StoreOffline\` is thrown by the client when a call fails.`,
  `# Backups

A backup is made every night and copied to a second site. To restore one, run \`shop restore\` with its date.

- Lossless compression keeps every byte.
- Lossy compression drops what nobody sees.
- once it is full.

\`\`\`sh
shop backup --now   # A backup is made at once.
\`\`\``,
  `# Whales

Whales sing. Blue whales weigh up to 150 tons and live about 80 years. Their songs travel for miles, e.g. Pacific songs reach Chile.`,
  `const proto = load(import.meta.url).resolve('shop.proto')
const client = new Shop((gateway.url ?? '').replace('grpc://', ''))
A backup of const client runs. }
// The client closes its connection after an idle minute.
client.close()`,
  `/**
 * Computes the Fibonacci numbers without recursion.
 */
export function fibonacci(n) {`,
  `# Gateway

The gateway listens on port 8080. The gateway ends when it gets SIGTERM, after open requests are done. \`stream: hold\` holds a stream in the gateway until it is checked.
A client that is stopped loses nothing. Is the gateway fast?`,
]

const satzung = [
  `# Urlaub

Jeder Mitarbeiter hat Anspruch auf dreißig Urlaubstage im Jahr. Resturlaub verfällt am 31. März des folgenden Jahres.`,
  `# Kündigung

Die Kündigungsfrist beträgt drei Monate zum Quartalsende. In der Probezeit beträgt sie zwei Wochen.`,
  `Büro › Regeln

Der Schlüssel zum Büro liegt bei Frau Dr. Meier am Empfang. Hunde sind im Büro erlaubt, z. B. Dackel. Das WLAN-Passwort wechselt jeden Monat.`,
  `# Reisekosten

Fahrten mit der Bahn werden in der zweiten Klasse erstattet. Belege sind innerhalb von vier Wochen einzureichen.`,
]

const manual = [
  `# Labels

Use \`labels\` to print addresses on parcels and letters: for a shop that ships many orders at once, or a club that writes to its members.

A label has at most five lines.`,
  `# Orders

| status | meaning |
| --- | --- |
| \`open\` | the customer has not paid yet, and nothing is packed |
| \`open-box\` | 3 |
| \`shipped\` | the parcel has left the house |
| \`refund\` | at most forty days from the last letter |

\`open: later\` packs it first. Parcels wait in the cellar until they are paid.`,
  `# Archive

Papers go to \`archive.folder\` at night, and orders run there too. Old orders are kept in the attic.

\`GET /stock\` tells the shop what is left. Not packed: glass and china for the market. Crates are opened on Monday by the porter.`,
]

const asked: readonly (readonly [documents: readonly string[], question: string, sentences: readonly string[]])[] = [
  [handbook, 'How many days of leave do I have?', ['Every employee has thirty days of leave a year.']],
  [handbook, 'When is leave lost?', ['Leave that is not taken by March is lost.']],
  [handbook, 'Whom do I ask for leave?', ['Ask your manager for it two weeks ahead.']],
  [handbook, 'What do I do when I am ill?', ['Whoever is ill calls the office before nine.']],
  [handbook, 'When is a certificate due?', ['A certificate is due on the third day.']],
  [handbook, 'Where are orders kept?', ['Orders are kept in PostgreSQL.']],
  [
    handbook,
    'How long are orders kept?',
    ['Orders are kept in PostgreSQL.', 'Old orders go after `store.retentionDays`, which is 90 unless it is set.'],
  ],
  [handbook, 'What is a second site?', []],
  [handbook, 'What is retentionDays?', ['Old orders go after `store.retentionDays`, which is 90 unless it is set.']],
  [handbook, 'Can I use Redis as a store?', []],
  [handbook, 'Does it run on Kubernetes?', []],
  [handbook, 'What does STORE_OFFLINE mean?', ['STORE_OFFLINE: The database cannot be reached.']],
  [handbook, 'When is StoreOffline thrown?', ['`StoreOffline` is thrown by the client when a call fails.']],
  [handbook, 'How often is a backup made?', ['A backup is made every night and copied to a second site.']],
  [handbook, 'How do I restore a backup?', ['To restore one, run `shop restore` with its date.']],
  [
    handbook,
    'What is the difference between lossless and lossy compression?',
    ['Lossless compression keeps every byte.', 'Lossy compression drops what nobody sees.'],
  ],
  [handbook, 'Do whales sing?', ['Whales sing.']],
  [handbook, 'How much do blue whales weigh?', ['Blue whales weigh up to 150 tons and live about 80 years.']],
  [handbook, 'How far do songs of whales travel?', ['Their songs travel for miles, e.g. Pacific songs reach Chile.']],
  [handbook, 'What do sharks eat?', []],
  [handbook, 'What is the capital of France?', []],
  [handbook, 'Who won the world cup in 1990?', []],
  [handbook, 'What is it, and why?', []],
  [handbook, 'When does the client close its connection?', ['The client closes its connection after an idle minute.']],
  [handbook, 'How are the Fibonacci numbers computed?', ['Computes the Fibonacci numbers without recursion.']],
  [handbook, 'Which port does the gateway listen on?', ['The gateway listens on port 8080.']],
  [handbook, 'When does the gateway end?', ['The gateway ends when it gets SIGTERM, after open requests are done.']],
  [handbook, 'What does SIGTERM do?', ['The gateway ends when it gets SIGTERM, after open requests are done.']],
  [handbook, 'What does stream: hold do?', ['`stream: hold` holds a stream in the gateway until it is checked.']],
  // Sentences that share words with the question and answer another one.
  [handbook, 'How do I connect a client to PostgreSQL?', []],
  [handbook, 'Which orders does the gateway reject?', []],
  [handbook, 'How do I encrypt a backup of the database?', []],
  [handbook, 'Is there a readiness probe in the gateway?', []],
  // Sentences of another kind: no instruction, no explanation, a reference to what was said before, words of a path.
  [handbook, 'How do I close an idle connection of the client?', []],
  [handbook, 'What is an idle minute?', []],
  [['# Files\n\nThe tests read every file. They start the gateway with systemd.'], 'When does systemd start the gateway?', []],
  [['# Cases\n\nU1 is in faults/upstream/port-closed/test.ts.'], 'When is the port closed?', []],
  [handbook, 'Wie viel Urlaub habe ich?', []],
  // Entries of tables, for what they name.
  [manual, 'What does open mean?', ['`open`: the customer has not paid yet, and nothing is packed']],
  [manual, 'What does shipped mean?', ['`shipped`: the parcel has left the house']],
  [manual, 'Where is the refund of orders?', ['`refund`: at most forty days from the last letter']],
  [manual, 'What is a label?', ['A label has at most five lines.']],
  [manual, 'What is a crate?', []],
  [['# Crates\n\nA crate that it holds is made of wood.'], 'What is a crate?', []],
  [manual, 'Can the club print letters of members quickly tomorrow?', []],
  // One usual word says too little, and so does a part of another word in a comparison.
  [manual, 'Do I need a market?', []],
  [['# Rooms\n\nAn unlabelled crate is in the cellar.'], 'What is the difference between a label and a crate?', []],
  [manual, 'Who is the customer that has left the house?', []],
  // Words that mean the same, and not the names of settings.
  [manual, 'Where are old orders stored?', ['Old orders are kept in the attic.']],
  [manual, 'Where are certain old orders stored instead?', ['Old orders are kept in the attic.']],
  [manual, 'Where is the folder of papers?', []],
  // Sources far behind the best one.
  [
    [
      '# Keys\n\nKeys are rotated in spring by the owner of the house and the doors.',
      '# Doors\n\nDoors are blue.',
      '# Log\n\nKeys were once rotated by a dog that bit people.',
    ],
    'Who has the keys rotated?',
    ['Keys are rotated in spring by the owner of the house and the doors.'],
  ],
  // An amount that no sentence has.
  [manual, 'How long do parcels wait in the cellar?', []],
  [manual, 'How many lines has a label at most?', ['A label has at most five lines.']],
  // What something is for answers a task that it names most of, and no question for a fact.
  [
    manual,
    'tomorrow our club wants to print letters for members, quickly',
    [
      'Use `labels` to print addresses on parcels and letters: for a shop that ships many orders at once, or a club that writes to its members.',
    ],
  ],
  [manual, 'Which members of the club ship stamps?', []],
  [manual, 'print addresses on parcels and letters with Photoshop', []],
  [manual.slice(2), 'shop stock tomorrow', ['`GET /stock` tells the shop what is left.']],
  [manual, 'glass packed for the market in winter', []],
  [manual, 'What is the difference between parcels that wait in the cellar and barrels?', []],
  [satzung, 'Wie viele Urlaubstage habe ich?', ['Jeder Mitarbeiter hat Anspruch auf dreißig Urlaubstage im Jahr.']],
  [satzung, 'Wann verfällt der Resturlaub?', ['Resturlaub verfällt am 31. März des folgenden Jahres.']],
  [satzung, 'Wie lang ist die Kündigungsfrist?', ['Die Kündigungsfrist beträgt drei Monate zum Quartalsende.']],
  [
    satzung,
    'Wie ist die Frist in der Probezeit?',
    ['Die Kündigungsfrist beträgt drei Monate zum Quartalsende.', 'In der Probezeit beträgt sie zwei Wochen.'],
  ],
  [satzung, 'Wo liegt der Schlüssel zum Büro?', ['Der Schlüssel zum Büro liegt bei Frau Dr. Meier am Empfang.']],
  [satzung, 'Sind Hunde erlaubt?', ['Hunde sind im Büro erlaubt, z. B. Dackel.']],
  [satzung, 'Wie oft wechselt das Passwort für das WLAN?', ['Das WLAN-Passwort wechselt jeden Monat.']],
  [satzung, 'Wird die Bahn erstattet?', ['Fahrten mit der Bahn werden in der zweiten Klasse erstattet.']],
  [satzung, 'Bis wann sind Belege einzureichen?', ['Belege sind innerhalb von vier Wochen einzureichen.']],
  [satzung, 'Gibt es eine Kantine?', []],
  [satzung, 'Was kostet ein Parkplatz?', []],
  [satzung, 'What is the period of notice?', []],
]

test.each(asked.map(([documents, question, sentences]) => ({ documents, question, sentences })))(
  '$question',
  ({ documents, question, sentences }) => {
    const sources = documents.map((text, index) => ({ id: index + 1, text }))
    expect(extractsFor({ question, sources }).sentences.map(({ sentence }) => sentence)).toEqual(sentences)
  },
)
