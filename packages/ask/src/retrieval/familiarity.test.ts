import { terms } from '@stickler/core/internal/relevance'
import { describe, expect, test } from 'vitest'
import { askedTerms } from './asked-terms.ts'
import { memoryEngine } from './engines/memory-engine.ts'
import { familiarity } from './familiarity.ts'
import { subjectsOf } from './subjects.ts'

describe('words of a question belong to an index', () => {
  const texts = [
    ...['Die Kündigungsfrist beträgt drei Monate.', 'Der Resturlaub verfällt im März.', 'Belege für Reisekosten sind einzureichen.'],
    ...[
      'Las vacaciones se piden con dos semanas de antelación.',
      'El contrato termina con tres meses de preaviso.',
      'Los gastos de viaje se reembolsan.',
    ],
  ]
  test.each([
    ['Wie lange ist die Kündigungsfrist?', 'Wie koche ich Spaghetti mit Tomaten?'],
    ['Wann verfällt der Resturlaub?', 'Wer gewann die Weltmeisterschaft?'],
    ['¿Cuándo termina el contrato?', '¿Quién escribió la novela Don Quijote?'],
    ['¿Cómo pido vacaciones?', '¿Cómo se cocina una paella valenciana?'],
  ])('%s, not %s', async (own, foreign) => {
    const engine = memoryEngine()
    await engine.replace([
      { path: 'a', fingerprint: '', chunks: texts.map((text, at) => ({ urn: `a#L${at}`, text, headings: [], terms: terms(text) })) },
    ])
    const of = async (question: string): Promise<number | undefined> => {
      const asked = askedTerms(question)
      const counts = await engine.countTerms?.(asked)
      return counts && familiarity(question, asked, counts, [])
    }
    expect(await of(own)).toBeGreaterThan(0.25)
    expect(await of(foreign)).toBeLessThan(0.25)
  })

  test('an identifier counts as one word, and a name that a large index lacks outweighs its usual words', () => {
    const of = (question: string, chunks: number, holders: readonly number[]) =>
      familiarity(question, askedTerms(question), { chunks, holders }, [])
    const whole = of('sort javascript', 1000, [4, 20])
    expect(of('sort JavaScript', 1000, [4, 900, 900, 20])).toBe(whole)
    expect(of('configure nginx', 1000, [140, 0])).toBeLessThan(0.1)
    expect(of('configure nginx', 1, [1, 0])).toBeGreaterThan(0.25)
  })

  test.each([
    ['break an employment contract', 'break a contract of employment', [76, 0, 426], [76, 426, 0]],
    ['gateway drugs', 'gateways for drugs', [388, 0], [388, 0]],
    ['Vertrag Arbeit', 'Vertrag der Arbeit', [0, 400], [0, 400]],
  ])('%s names something else than %s', (name, apart, ofName, ofApart) => {
    const of = (question: string, chunks: number, holders: readonly number[]): number =>
      familiarity(question, askedTerms(question), { chunks, holders }, []) ?? Number.NaN
    expect(of(name, 1400, ofName)).toBeLessThan(of(apart, 1400, ofApart) - 0.2)
    expect(of(name, 10, ofName)).toBe(of(apart, 10, ofApart))
  })

  test('nothing is known of an empty index, or of a question without words', () => {
    expect(familiarity('a', ['a'], { chunks: 0, holders: [0] }, [])).toBeUndefined()
    expect(familiarity('', [], { chunks: 5, holders: [] }, [])).toBeUndefined()
  })
})

describe('names that are only mentioned say nothing about the subject of an index', () => {
  const counts = { chunks: 1000, holders: [300, 12] }
  const of = (question: string, heading: string, text = 'Models of Ollama, vLLM and others are supported.'): number =>
    familiarity(question, askedTerms(question), counts, [{ urn: 'guide/models.md#L5-L9', text, headings: [heading] }]) ?? Number.NaN

  test('unless a heading has them, or passages have no headings', () => {
    expect(of('models Ollama', 'Providers')).toBeLessThan(of('models Ollama', 'Ollama and others') - 0.5)
    const asked = askedTerms('models Ollama')
    const plain = familiarity('models Ollama', asked, counts, [{ urn: 'a.txt#L5', text: 'Ollama', headings: [] }])
    expect(plain).toBe(of('models Ollama', 'Ollama and others'))
  })

  test.each([
    ['What is Ollama?', 'Ollama is one of many.', true],
    ['What is Ollama?', '| Ollama | Runs models on your own machine. |', true],
    ['What is Ollama?', 'Models of Ollama are supported.', false],
    ['What does Ollama mean?', '- **Ollama**: runs models', true],
  ])('%s is answered by %s: %s', (question, text, isDefined) => {
    expect(of(question, 'Providers of all kinds', text) === of(question, 'Ollama', text)).toBe(isDefined)
  })

  test.each([
    ['What does HTTP 424 mean?', '| 424 | The answer could not be checked. |', true],
    ['What is error 424?', '- 424: the answer could not be checked', true],
    ['What does HTTP 424 mean?', 'Replies may have the status 424.', false],
    ['What does HTTP 424 mean?', '| 422 | Unlike 424, the answer is wrong. |', false],
    ['What does HTTP Ollama mean?', '| Ollama | Runs models on your own machine. |', false],
  ])('a usual word before a number is its kind: %s is answered by %s: %s', (question, text, isDefined) => {
    const [phrase = ''] = subjectsOf(question).defined
    expect(of(question, 'Providers of all kinds', text) === of(question, phrase, text)).toBe(isDefined)
  })

  test('what is asked for at another place is not familiar', () => {
    const at = (question: string): number => of(question, 'Parsing and Java')
    expect(at('parse in Java')).toBeGreaterThan(of('parse in Java', 'Parsing'))
  })
})

test.each([
  ['What is a contract?', ['contract'], []],
  ['Was ist ein Vertrag?', ['Vertrag'], []],
  ['¿Qué es un contrato?', ['contrato'], []],
  ['what does lossy mean', ['lossy'], []],
  ["What's the difference between a process and a thread?", ['process', 'thread'], []],
  ['zod vs yup', ['zod', 'yup'], []],
  ['How do I install Node on Windows?', [], ['Windows']],
  ['Wie installiere ich Docker auf Ubuntu?', [], ['Ubuntu']],
  ['How do I limit a budget?', [], []],
  ['What is the largest request body allowed?', [], []],
  ['What is recorded without keepText?', [], []],
  ['What is recorded?', [], []],
  ['Explain the outcome unresolved', [], []],
  ['What is the format of the journal?', [], []],
  ['Was ist das Format des Journals?', [], []],
  ['¿Qué es el tamaño máximo permitido?', [], []],
  ['What is a contract of employment?', ['contract of employment'], []],
  ['What is a linked list?', ['linked list'], []],
  ['What is the speed?', ['speed'], []],
  ['¿Qué es un estado?', ['estado'], []],
])('the subjects of %s', (question, defined, placed) => {
  expect(subjectsOf(question)).toMatchObject({ defined, placed })
})

test('what refers to something without naming it', () => {
  expect(subjectsOf('Does it work?').refers).toBe(true)
  expect(subjectsOf('Does the cache work?').refers).toBe(false)
})

test.each([
  ['what is meant by lossless vs lossy?', ['lossless', 'lossi']],
  ['Was ist der Unterschied zwischen Token und Byte?', ['token', 'byte']],
  ['¿Cuál es la diferencia entre token y byte?', ['token', 'byte']],
])('%s: words that compare are not what it is about', (question, terms) => {
  expect(askedTerms(question)).toEqual(terms)
})
