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
  pt: 'O gateway fica entre a sua aplicação e o fornecedor do modelo. Ele lê cada resposta uma única vez, verifica se ela segue as regras que você escreveu e pergunta novamente quando alguma coisa está faltando ou não está certa.',
  nl: 'De gateway staat tussen je toepassing en de aanbieder van het model. Hij leest elk antwoord één keer, controleert het aan de hand van de regels die je hebt opgeschreven en vraagt het opnieuw als er iets ontbreekt of fout is.',
  sv: 'Gatewayen står mellan din applikation och leverantören av modellen. Den läser varje svar en gång, kontrollerar det mot reglerna som du har skrivit ner och frågar igen när något saknas eller är fel.',
  pl: 'Bramka stoi między twoją aplikacją a dostawcą modelu. Czyta każdą odpowiedź jeden raz, sprawdza ją według reguł, które zostały zapisane, i pyta ponownie, kiedy czegoś brakuje albo coś jest błędne.',
  cs: 'Brána stojí mezi vaší aplikací a poskytovatelem modelu. Každou odpověď přečte jednou, zkontroluje ji podle pravidel, která jste napsali, a zeptá se znovu, když něco chybí nebo je špatně.',
  tr: 'Ağ geçidi, uygulamanız ile modelin sağlayıcısı arasında durur. Her yanıtı bir kez okur, yazdığınız kurallara göre denetler ve bir şey eksik ya da yanlış olduğunda yeniden sorar.',
  uk: 'Шлюз стоїть між вашим застосунком і постачальником моделі. Він читає кожну відповідь один раз, перевіряє її за правилами, які ви записали, і запитує знову, коли чогось бракує або щось неправильно.',
  bg: 'Шлюзът стои между вашето приложение и доставчика на модела. Той прочита всеки отговор веднъж, проверява го според правилата, които сте написали, и пита отново, когато нещо липсва или е грешно.',
  ar: 'تقف البوابة بين تطبيقك ومزود النموذج. تقرأ كل إجابة مرة واحدة، وتتحقق منها وفق القواعد التي كتبتها، وتسأل مرة أخرى عندما يكون هناك شيء ناقص أو خاطئ في الإجابة.',
  fa: 'دروازه بین برنامه شما و ارائه‌دهنده مدل قرار دارد. هر پاسخ را یک بار می‌خواند، آن را با قوانینی که نوشته‌اید بررسی می‌کند و وقتی چیزی کم یا اشتباه باشد دوباره می‌پرسد.',
  zh: '网关位于您的应用程序和模型提供者之间。它只读取一次每个回答，按照您写下的规则进行检查，如果缺少内容或有错误，就会再次提问。这样用户只会看到正确的回答。',
  vi: 'Cổng này nằm giữa ứng dụng của bạn và nhà cung cấp mô hình. Nó đọc mỗi câu trả lời một lần, kiểm tra theo các quy tắc mà bạn đã viết ra và hỏi lại khi có điều gì đó còn thiếu hoặc sai.',
  id: 'Gerbang ini berada di antara aplikasi Anda dan penyedia model. Ia membaca setiap jawaban satu kali, memeriksanya dengan aturan yang telah Anda tulis, dan bertanya lagi jika ada yang kurang atau salah.',
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

  const code =
    'import { readFile } from "node:fs/promises"\nconst settings = JSON.parse(await readFile("settings.json"))\nfor (const key of Object.keys(settings)) {\n  console.log(key, settings[key])\n}\n'
  const places =
    'Acton Town, Barons Court, Covent Garden, Earls Court, Gloucester Road, Hyde Park Corner, Leicester Square, Piccadilly Circus'

  test.each([
    ['Chinese around code without a fence', 'zh', `${texts.zh?.slice(0, 60)}\n\n${code.repeat(6)}\n完整的代码如上。`],
    ['Japanese around code without a fence', 'ja', `${texts.ja?.slice(0, 60)}\n\n${code.repeat(6)}`],
    [
      'Chinese with Latin terms',
      'zh',
      '使用 copula 包来拟合 Gaussian、Student、Gumbel、Frank、Clayton 五种 Copula，并根据 AIC 选择最佳的模型，然后计算 VaR。',
    ],
    [
      'Russian between formulas',
      'ru',
      `Найдём первообразную этой функции.\n\n${'f(x) = cos x * e^(sin x) + integral\n'.repeat(9)}\nЗначит, интеграл равен нулю, и ответ верен.`,
    ],
    [
      'quoted sentences',
      'de',
      `Der Satz "${texts.en?.slice(0, 70)}" heißt auf Deutsch etwas anderes, und "${texts.en?.slice(80, 150)}" ebenso, wie man leicht sieht, wenn man beide nebeneinander schreibt und Wort für Wort vergleicht.`,
    ],
    [
      'a table of terms',
      'de',
      `Diese Wörter gehören zum Wortschatz der ersten Woche, und alle werden im Test geprüft:\n\n| Deutsch | Französisch |\n| --- | --- |\n${'| der Tisch | la table ronde |\n| das Fenster | la fenêtre ouverte |\n'.repeat(9)}\nLerne sie bis zum nächsten Freitag.`,
    ],
    [
      'file names and addresses',
      'it',
      `Questi sono i file che devi controllare prima di pubblicare la nuova versione, perché qualcuno li ha cambiati senza dirlo agli altri:\n\n${'- packages/gateway/src/requests/handler.ts\n- https://example.com/the/page/that/they/have/written\n'.repeat(9)}`,
    ],
  ])('L97 %s are %s, and not English', async (_name, is, text) => {
    expect([await messages(text, is), (await messages(text, 'en')).length]).toEqual([[], 1])
  })

  test.each([
    ['a list of names', `${places}\n`.repeat(4)],
    ['names, each in a line', `${places.replaceAll(', ', '\n')}\n`.repeat(4)],
    ['code without a fence', code.repeat(8)],
    ['file names', 'src/main/java/com/example/App.java\nsrc/test/java/com/example/AppTest.java\n'.repeat(9)],
    ['an English sentence with a Chinese word', 'The word that you mean is 朋友们大家好.'],
    ['labels', Array.from({ length: 30 }, (_, index) => `${index}. a. true\n${index}. c. mic splitter\n`).join('')],
  ])('L98 %s are in no language', async (_name, text) => {
    for (const is of ['en', 'fr', 'fi']) expect(await messages(text, is)).toEqual([])
  })

  test('L99 what a speaker says counts', async () => {
    const talk = `Anna: "${texts.en?.slice(0, 75)}"\n\nBert: "${texts.en?.slice(75)}"\n`
    expect([await messages(talk, 'en'), (await messages(talk, 'fi')).length]).toEqual([[], 1])
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
    let first = text.length
    for await (const piece of answer) {
      if (shown.length === 0) first = runner.calls[0]?.taken ?? 0
      shown.push(piece)
    }
    const { status } = await answer.outcome
    return { first, status, shown: shown.join(''), pieces: shown.length, taken: runner.calls[0]?.taken ?? 0 }
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

  test('does not judge again at the end what was settled long before', async () => {
    const rules = rule('it')
    const asked: string[] = []
    const validators = rules.validators.map((one) => ({
      ...one,
      prepared: {
        ...one.prepared,
        check: (...given: Parameters<typeof one.prepared.check>) => {
          asked.push(given[0].text)
          return one.prepared.check(...given)
        },
      },
    }))
    const text = `${texts.it}\n`.repeat(90)
    const answer = enforceStream({ contract: { ...rules, validators }, runner: scripted([{ text, chunkSize: 40 }]), prompt: '' })
    for await (const _piece of answer);
    const { status, facts } = await answer.outcome
    expect([status, facts, asked]).toEqual(['valid', { language: { language: 'it' } }, []])
  })

  test('L100 releases a long paragraph at the end of a sentence after 100 letters', async () => {
    const { shown, first } = await streamed(`${texts.it} `.repeat(20), 'it')
    expect([shown.length > 4000, first < 250]).toEqual([true, true])
  })

  test.each([
    ['code at the start', `\`\`\`js\n${'call(1)\n'.repeat(99)}\`\`\`\nEcco il codice.\n`],
    ['code after a short introduction', `Questo è il codice che hai chiesto:\n\n\`\`\`js\n${'call(1)\n'.repeat(99)}\`\`\`\n`],
    ['code without a fence', 'x = call(1);\n'.repeat(99)],
    ['a long list of names', '- Covent Garden\n'.repeat(99)],
  ])('L101 does not hold %s', async (_name, text) => {
    const { status, shown, first } = await streamed(text, 'it')
    expect([status, shown === text, first < 400]).toEqual(['valid', true, true])
  })

  test('L102 holds a short introduction in another language', async () => {
    const { shown } = await streamed(`Here is the code that you asked for:\n\n\`\`\`js\n${'call(1)\n'.repeat(99)}\`\`\`\n${texts.en}`, 'it')
    expect(shown).toBe('')
  })

  test('L103 reports a stream that turns to another language after its start was shown', async () => {
    const { status, shown, taken } = await streamed(`${texts.it}\n${`${texts.en}\n`.repeat(40)}`, 'it')
    expect([status, shown.startsWith('Il gateway'), taken < 3000]).toEqual(['unresolved', true, true])
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
