import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { language } from './index.ts'
import type { LanguageCode } from './languages.ts'

const texts: Readonly<Record<string, string>> = {
  en: 'The gateway stands between your application and the provider of the model. It reads every answer once, checks it against the rules that you have written down, and asks again when something is missing or wrong.',
  de: 'Das Gateway steht zwischen deiner Anwendung und dem Anbieter des Modells. Es liest jede Antwort einmal, prüft sie gegen die Regeln, die du aufgeschrieben hast, und fragt noch einmal nach, wenn etwas fehlt oder falsch ist.',
  fr: 'La passerelle se trouve entre votre application et le fournisseur du modèle. Elle lit chaque réponse une seule fois, la vérifie selon les règles que vous avez écrites, et pose de nouveau la question quand quelque chose manque.',
  it: 'Il gateway si trova tra la tua applicazione e il fornitore del modello. Legge ogni risposta una sola volta, la controlla secondo le regole che hai scritto e chiede di nuovo quando qualcosa manca oppure è sbagliato.',
  es: 'La pasarela se encuentra entre tu aplicación y el proveedor del modelo. Lee cada respuesta una sola vez, la comprueba con las reglas que has escrito y vuelve a preguntar cuando algo falta o está equivocado.',
  fi: 'Yhdyskäytävä on sovelluksesi ja mallin toimittajan välissä. Se lukee jokaisen vastauksen kerran, tarkistaa sen kirjoittamiesi sääntöjen mukaan ja kysyy uudelleen, kun jotain puuttuu tai jokin on väärin.',
  ru: 'Шлюз стоит между вашим приложением и поставщиком модели. Он читает каждый ответ один раз, проверяет его по записанным вами правилам и спрашивает снова, если чего-то не хватает или что-то неверно.',
  hi: 'गेटवे आपके अनुप्रयोग और मॉडल के प्रदाता के बीच में होता है। यह हर उत्तर को एक बार पढ़ता है, आपके लिखे हुए नियमों से उसकी जाँच करता है और जब कुछ छूट जाता है या गलत होता है तो फिर से पूछता है।',
  he: 'השער נמצא בין היישום שלך לבין ספק המודל. הוא קורא כל תשובה פעם אחת, בודק אותה לפי הכללים שכתבת, ושואל שוב כאשר משהו חסר או שגוי. כך אף תשובה שגויה אינה מגיעה אל המשתמשים שלך.',
  ja: 'ゲートウェイはあなたのアプリケーションとモデルの提供者の間にあります。それぞれの回答を一度だけ読み、あなたが書いた規則に照らして確認し、何かが足りないときや間違っているときにはもう一度質問します。このようにして利用者には正しい回答だけが届きます。',
  ko: '게이트웨이는 애플리케이션과 모델 제공자 사이에 있습니다. 모든 답변을 한 번 읽고, 작성한 규칙에 따라 확인하며, 무언가 빠졌거나 잘못되었을 때 다시 질문합니다. 그래서 사용자에게는 올바른 답변만 전달됩니다.',
}
const rule = (...is: string[]) => contract({ checks: [language({ is: is as LanguageCode[] })] })
const messages = async (text: string, ...is: string[]) => (await check(rule(...is), text)).issues.map(({ message }) => message)

describe('language', () => {
  test.each(Object.keys(texts))('L48 knows %s from all others', async (code) => {
    for (const [other, text] of Object.entries(texts))
      expect((await messages(text, code)).length, `${other} under ${code}`).toBe(other === code ? 0 : 1)
  })

  test('L96 takes one language without a list', async () => {
    for (const one of [language({ is: 'it' }), { language: { is: 'it' } } as const]) {
      const { issues } = await check(contract({ checks: [one] }), texts.en ?? '')
      expect(issues.map(({ message }) => message)).toEqual(['Write the whole answer in Italian; it is in English.'])
    }
    expect(() => contract({ checks: [{ language: { is: 'ti' as 'it' } }] })).toThrow('checks.0.language.is: unknown value "ti"')
  })

  test('names what is asked for and what is there', async () => {
    expect(await messages(texts.en ?? '', 'it', 'fr')).toEqual(['Write the whole answer in Italian or French; it is in English.'])
  })

  test.each([
    ['a short answer', 'Yes, of course.', 'it'],
    ['nothing', '', 'it'],
    ['numbers', '1 2 3 '.repeat(100), 'it'],
    ['code', `${texts.it}\n\n\`\`\`js\n${`// ${texts.en}\n`.repeat(5)}\`\`\`\n`, 'it'],
    ['a quotation', `${texts.it}\n\n> ${texts.en}\n> ${texts.en}\n`, 'it'],
    ['reasoning', `<think>${texts.en}${texts.en}</think>${texts.it}`, 'it'],
    ['one of several', texts.de ?? '', 'en'],
    ['a sentence in another language', `${texts.it}\n${texts.it}\n${texts.it}\n${texts.en}`, 'it'],
  ])('unknown is not invalid: %s', async (_name, text, code) => {
    expect(await messages(text, code, 'de')).toEqual([])
  })

  test('a few letters of another script are enough', async () => {
    expect(await messages('Извините, я не могу ответить.', 'en')).toHaveLength(1)
  })

  test.each([{}, { is: [] }, { is: 'Italian' }, { is: ['Italian'] }, { is: ['xx'] }, { is: ['it'], not: ['en'] }])(
    '%j is a configuration error',
    (options) => {
      expect(() => contract({ checks: [{ language: options as never }] })).toThrow(/language/)
    },
  )
})

describe('language in a stream', () => {
  const streamed = async (text: string, ...is: string[]) => {
    const runner = scripted([{ text, chunkSize: 7 }])
    const answer = enforceStream({
      contract: contract({ checks: [language({ is: is as LanguageCode[] })], retries: 0 }),
      runner,
      prompt: '',
    })
    const shown: string[] = []
    for await (const piece of answer) shown.push(piece)
    const { status } = await answer.outcome
    return { status, shown: shown.join(''), pieces: shown.length, taken: runner.calls[0]?.taken ?? 0 }
  }

  test('L49 stops a long answer in another language, and shows nothing of it', async () => {
    const long = `${texts.en}\n`.repeat(30)
    const { status, shown, taken } = await streamed(long, 'it')
    expect([status, shown, taken < long.length / 3]).toEqual(['unresolved', '', true])
  })

  test('releases the right language as it comes', async () => {
    const long = `${texts.it}\n`.repeat(60)
    const { status, shown, pieces } = await streamed(long, 'it')
    expect([status, shown === long, pieces > 100]).toEqual(['valid', true, true])
  })

  test('L50 is judged as the whole, for every way to cut it', async () => {
    const piece = fc.constantFrom(...Object.values(texts), '\n', '\n\n', '```\n', '> ', 'short\n', '<think>', '</think>', '`')
    const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('en', 'it', 'hi'), (said, is) => assertStreamable(rule(is), said, [3, 40])),
      { numRuns: 15 },
    )
  })
})

test('says everything in both languages', async () => {
  expect(await localeFaults('language', [{ options: { is: ['de'] }, text: 'Извините, я не могу ответить.' }])).toEqual([])
})
