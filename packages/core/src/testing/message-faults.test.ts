import { expect, test } from 'vitest'
import { quote } from '../contract/quote.ts'
import { messageFaults } from './message-faults.ts'

const data = 'The answer says ^\\d+\\. and goes on about rockets and satellites in the evening sky over the mountains of the moon, 5 times.'

test.each<[message: string, fault: string | undefined, hint?: string]>([
  ['Write no headings; the answer has 3.', undefined],
  ['Leave out "rockets and satellites"; it is in line 1.', undefined],
  ['Use "^\\\\d+\\\\." once.', undefined],
  ['The answer has headings.', 'starts with "The" instead of an instruction'],
  ['ADR fehlt Section: x.', 'starts with "ADR" instead of an instruction'],
  ['Code block 1 is tagged json but holds shell commands: change the tag to bash.', undefined],
  ['Write at most 0 headings.', 'counts to 0'],
  ['Schreibe genau 0 Überschriften.', 'counts to 0'],
  ['Use "^\\\\\\\\d+" once.', 'escapes "^\\\\\\\\d+" twice'],
  ['Correct line 1: "change the tag to bash".', 'quotes "change the tag to bash", which is not data'],
  ['Leave out "about rockets and satel…".', 'cuts a word in "about rockets and satel…"'],
  ['Leave out "about rockets and satel".', 'cuts a word in "about rockets and satel"'],
  ['Leave out "…ockets and satellites".', 'cuts a word in "…ockets and satellites"'],
  ['End with "moon,"; it ends with "…of the moon, 5 times.".', undefined],
  ['Answer with yes; the answer begins with The.', 'shows text of the answer without quotes'],
  ['Beginne mit "The"; die Antwort beginnt mit answer.', 'shows text of the answer without quotes'],
  ['Antworte mit einem JSON-Wert; die Antwort hat keinen', 'does not end as a sentence'],
  ['Use "5 times" twice; it occurs 0 times.', 'counts to 0'],
  ['Verwende "5 times" zweimal; es kommt 0-mal vor.', 'counts to 0'],
  ['Answer with the value alone; 1 characters come before it.', 'has "1 characters"'],
  ['Zitiere nur Quellen von 1 bis 5; "5 times" nennt Quelle 9.', undefined],
  ['Cite only sources 1 to 1; "5 times" names source 5.', 'has "1 to 1"'],
  ['Kürze die Antwort auf 1 Wörter; sie hat 5.', 'has "1 Wörter"'],
  [
    'Finish the answer; it was cut off.',
    'asks for what only an operator can do',
    'Answer more briefly, or raise the limit of completion tokens',
  ],
  ['Leave out the telephone number in line 1.', 'has a hint that fits another kind', 'Write a placeholder such as name@example.com'],
])('%s', (message, fault, hint) => {
  expect(messageFaults({ message, hint, data })).toEqual(fault === undefined ? [] : [fault])
})

test.each([
  ['a sentence', data, '"The answer says ^\\\\d+\\\\. and goes on about rockets and satellites in the evening…"'],
  ['a word without an end', 'x'.repeat(200), `"${'x'.repeat(79)}…"`],
  ['an emoji at the cut', `${'a '.repeat(39)}😀 and more words`, `"${'a '.repeat(39).trimEnd()}…"`],
  ['a path', 'src/index.ts', 'src/index.ts'],
])('what is quoted ends with a whole word: %s', (_name, text, quoted) => {
  expect(quote(text)).toBe(quoted)
})
