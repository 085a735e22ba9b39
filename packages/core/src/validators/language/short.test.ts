import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eld } from 'eld/small'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import type { LanguageCode } from './languages.ts'

/** Replies of 25 to 60 letters. */
const replies: Readonly<Partial<Record<LanguageCode, readonly string[]>>> = {
  en: [
    'Your order ships tomorrow and arrives on Friday.',
    'Please restart the router and wait two minutes.',
    'I have sent the refund to your card this morning.',
    'You can change your password in the settings.',
    'Sorry, that item is currently out of stock.',
    'Open the settings page and choose Reset.',
    'Refunds take five business days to arrive.',
    'We will get back to you within 24 hours.',
    'The meeting has been moved to next Tuesday.',
    'Thank you for your patience, it works again.',
    'Click Save, then reload the page in your browser.',
    'Invoices are available under Billing and Payments.',
    'Our support team answers calls until 6 pm.',
    'Delivery usually takes between two and four days.',
    'Update the app to the latest version first.',
    'No problem, I have cancelled your subscription.',
    'Sure, I can help you with that right away!',
    'Which product are you asking about, please?',
    'Returns are free within thirty days of purchase.',
    'The package was delivered to your neighbour.',
  ],
  de: [
    'Ihre Bestellung wird morgen verschickt und kommt am Freitag.',
    'Bitte starten Sie den Router neu und warten Sie kurz.',
    'Die Erstattung habe ich heute früh veranlasst.',
    'Das Passwort ändern Sie in den Einstellungen.',
    'Leider ist dieser Artikel derzeit ausverkauft.',
    'Öffne die Einstellungen und wähle Zurücksetzen.',
    'Rückzahlungen dauern etwa fünf Werktage.',
    'Wir melden uns innerhalb von 24 Stunden.',
    'Der Termin wurde auf nächsten Dienstag verschoben.',
    'Danke für Ihre Geduld, es geht wieder.',
    'Klicken Sie auf Speichern und laden Sie neu.',
    'Rechnungen finden Sie unter Zahlungen.',
    'Der Support ist bis 18 Uhr erreichbar.',
    'Die Lieferung dauert zwei bis vier Tage.',
    'Installieren Sie zuerst das neueste Update.',
    'Kein Problem, Ihr Abo ist jetzt gekündigt.',
    'Gern, damit kann ich sofort helfen!',
    'Um welches Produkt geht es denn genau?',
    'Eine Rückgabe ist 30 Tage lang kostenlos möglich.',
    'Das Paket liegt beim Nachbarn im Erdgeschoss.',
    'Login und Download funktionieren jetzt wieder.',
    'Starte die App neu und prüfe das WLAN.',
    'Das Meeting ist im Kalender eingetragen.',
  ],
  fr: [
    'Votre commande part demain et arrive vendredi.',
    'Veuillez redémarrer le routeur et patienter.',
    'Le remboursement a été effectué ce matin.',
    'Vous pouvez changer le mot de passe dans les réglages.',
    'Désolé, cet article est en rupture de stock.',
    'Ouvrez les paramètres et choisissez Réinitialiser.',
    'Les remboursements prennent cinq jours ouvrés.',
    'Nous vous répondrons sous vingt-quatre heures.',
    'La réunion est reportée à mardi prochain.',
    'Merci de votre patience, tout fonctionne.',
    'Cliquez sur Enregistrer, puis actualisez la page.',
    'Les factures se trouvent dans Facturation.',
    'Le support répond jusqu’à dix-huit heures.',
    'La livraison prend deux à quatre jours.',
    'Aucun problème, votre abonnement est résilié.',
    'De quel produit parlez-vous exactement ?',
    'Le colis a été remis à votre voisin.',
  ],
  es: [
    'Su pedido sale mañana y llega el viernes.',
    'Reinicie el router y espere dos minutos.',
    'El reembolso se realizó esta mañana.',
    'Puede cambiar la contraseña en los ajustes.',
    'Lo siento, ese artículo está agotado.',
    'Abra los ajustes y elija Restablecer.',
    'Los reembolsos tardan cinco días hábiles.',
    'Le responderemos en menos de 24 horas.',
    'La reunión se ha aplazado al martes.',
    'Gracias por su paciencia, ya funciona.',
    'Pulse Guardar y recargue la página.',
    'Las facturas están en Pagos y facturación.',
    'El equipo atiende hasta las seis de la tarde.',
    'La entrega tarda de dos a cuatro días.',
    'Sin problema, su suscripción está cancelada.',
    '¿De qué producto se trata, por favor?',
    'El paquete se entregó a su vecino.',
  ],
  it: [
    'Il suo ordine parte domani e arriva venerdì.',
    'Riavvii il router e aspetti due minuti.',
    'Il rimborso è stato emesso stamattina.',
    'Può cambiare la password nelle impostazioni.',
    'Spiacenti, questo articolo è esaurito.',
    'Apra le impostazioni e scelga Ripristina.',
    'I rimborsi richiedono cinque giorni lavorativi.',
    'Le risponderemo entro ventiquattro ore.',
    'La riunione è rinviata a martedì prossimo.',
    'Grazie per la pazienza, ora funziona.',
    'Clicchi su Salva e ricarichi la pagina.',
    'La consegna richiede da due a quattro giorni.',
    'Nessun problema, abbonamento annullato.',
    'Il pacco è stato lasciato al vicino.',
  ],
  pt: [
    'O seu pedido sai amanhã e chega na sexta.',
    'Reinicie o roteador e aguarde dois minutos.',
    'O reembolso foi feito hoje de manhã.',
    'Você pode mudar a senha nas configurações.',
    'Desculpe, esse item está esgotado.',
    'Abra as configurações e escolha Redefinir.',
    'Os reembolsos levam cinco dias úteis.',
    'Responderemos em até vinte e quatro horas.',
    'A reunião foi adiada para terça-feira.',
    'Obrigado pela paciência, já funciona.',
    'A entrega demora de dois a quatro dias.',
    'Sem problema, a assinatura foi cancelada.',
    'O pacote foi entregue ao vizinho.',
  ],
  nl: [
    'Uw bestelling vertrekt morgen en komt vrijdag aan.',
    'Start de router opnieuw en wacht twee minuten.',
    'De terugbetaling is vanochtend gedaan.',
    'U kunt het wachtwoord wijzigen bij Instellingen.',
    'Helaas is dit artikel niet op voorraad.',
    'Open de instellingen en kies Herstellen.',
    'Terugbetalingen duren vijf werkdagen.',
    'We reageren binnen vierentwintig uur.',
    'De vergadering is verplaatst naar dinsdag.',
    'Bedankt voor het wachten, het werkt weer.',
    'Geen probleem, het abonnement is opgezegd.',
  ],
  sv: [
    'Din beställning skickas i morgon och kommer på fredag.',
    'Starta om routern och vänta två minuter.',
    'Återbetalningen gjordes i morse.',
    'Du kan byta lösenord i inställningarna.',
    'Tyvärr är varan slut i lager just nu.',
    'Öppna inställningarna och välj Återställ.',
    'Vi svarar inom tjugofyra timmar.',
    'Mötet har flyttats till nästa tisdag.',
    'Paketet lämnades hos grannen.',
  ],
  da: [
    'Din ordre sendes i morgen og ankommer fredag.',
    'Genstart routeren og vent to minutter.',
    'Du kan ændre adgangskoden i indstillingerne.',
    'Beklager, varen er desværre udsolgt.',
    'Mødet er flyttet til næste tirsdag.',
    'Pakken blev afleveret hos naboen.',
  ],
  no: [
    'Bestillingen sendes i morgen og kommer fredag.',
    'Start ruteren på nytt og vent to minutter.',
    'Du kan endre passordet i innstillingene.',
    'Beklager, varen er dessverre utsolgt.',
    'Møtet er flyttet til neste tirsdag.',
  ],
  pl: [
    'Zamówienie zostanie wysłane jutro rano.',
    'Proszę ponownie uruchomić router i poczekać.',
    'Zwrot pieniędzy został zlecony dziś rano.',
    'Hasło można zmienić w ustawieniach.',
    'Niestety ten produkt jest niedostępny.',
    'Odpowiemy w ciągu dwudziestu czterech godzin.',
    'Spotkanie przeniesiono na wtorek.',
  ],
  tr: [
    'Siparişiniz yarın kargoya veriliyor.',
    'Lütfen yönlendiriciyi yeniden başlatın.',
    'Şifrenizi ayarlardan değiştirebilirsiniz.',
    'Üzgünüz, bu ürün şu anda stokta yok.',
    'Yirmi dört saat içinde yanıt vereceğiz.',
    'Toplantı gelecek salıya ertelendi.',
  ],
  cs: [
    'Objednávka bude odeslána zítra ráno.',
    'Restartujte prosím router a počkejte.',
    'Heslo si můžete změnit v nastavení.',
    'Bohužel je toto zboží vyprodané.',
    'Odpovíme vám do dvaceti čtyř hodin.',
  ],
  fi: [
    'Tilauksesi lähtee huomenna ja saapuu perjantaina.',
    'Käynnistä reititin uudelleen ja odota.',
    'Voit vaihtaa salasanan asetuksissa.',
    'Tuote on valitettavasti loppunut.',
    'Vastaamme vuorokauden kuluessa.',
  ],
  id: [
    'Pesanan Anda dikirim besok dan tiba hari Jumat.',
    'Silakan mulai ulang router dan tunggu.',
    'Kata sandi dapat diubah di pengaturan.',
  ],
  ro: [
    'Comanda pleacă mâine și ajunge vineri.',
    'Reporniți routerul și așteptați două minute.',
    'Puteți schimba parola din setări.',
    'Ne pare rău, produsul nu este în stoc.',
  ],
  hu: [
    'A rendelését holnap küldjük, és pénteken érkezik.',
    'Indítsa újra a routert, és várjon két percet.',
    'A jelszót a beállításokban módosíthatja.',
  ],
  vi: ['Đơn hàng của bạn sẽ được gửi vào ngày mai.', 'Vui lòng khởi động lại bộ định tuyến.'],
}
const codes = Object.keys(replies) as LanguageCode[]
const rules = (is: LanguageCode, short: 'pass' | 'unchecked' = 'pass') => contract({ checks: [{ language: { is, short } }] })

async function verdict(text: string, is: LanguageCode): Promise<{ status: string; language: unknown }> {
  const { status, facts } = await check(rules(is), text)
  return { status, language: facts.language?.language }
}

describe('short answers', () => {
  test.each(codes)('L104 no reply in %s is wrong in its own language', async (code) => {
    for (const text of replies[code] ?? []) expect([text, (await verdict(text, code)).status]).toEqual([text, 'valid'])
  })

  test.each(['en', 'de', 'fr', 'es'] as const)('L105 nearly all replies in other languages are wrong in %s', async (is) => {
    const others = codes.filter((code) => code !== is).flatMap((code) => replies[code] ?? [])
    const passed: string[] = []
    for (const text of others) if ((await verdict(text, is)).status === 'valid') passed.push(text)
    expect(passed.length / others.length, passed.join('\n')).toBeLessThan(0.15)
  })

  test('L106 English replies of 40 to 60 letters are wrong in German', async () => {
    for (const text of [
      'Your order has been shipped and will arrive on Monday.',
      'Please restart the router and wait for two minutes.',
      'I have sent the refund to your card this morning.',
      'You can change your password in the account settings.',
      'Sorry, that item is currently out of stock everywhere.',
      'Open the settings page first and then choose Reset.',
      'Refunds usually take five business days to arrive.',
      'We will get back to you within the next few hours.',
      'The meeting has been moved to next Tuesday afternoon.',
      'Thank you for your patience, everything works again.',
    ])
      expect([text, await verdict(text, 'de')]).toEqual([text, { status: 'unresolved', language: 'en' }])
  })

  test.each([
    'Account Reset per Email an Support anfordern',
    'Email an Support senden, Account Reset anfordern',
    'Update Manager Setup herunterladen und installieren',
    'Team Meeting Montag 10 Uhr, Call Link folgt',
  ])('labels in German with words from English are not English: %s', async (text) => {
    expect((await verdict(text, 'de')).status).toBe('valid')
  })

  test.each([
    ['', 'unknown', 'valid'],
    ['Yes.', 'unknown', 'unchecked'],
    ['OK, 42.', 'unknown', 'unchecked'],
    ['42 %', 'unknown', 'valid'],
    ['```js\nconst answer = 42\n```', 'unknown', 'valid'],
    ['Paketet lämnades hos grannen.', 'unknown', 'unchecked'],
    ['El paquete se entregó a su vecino.', 'es', 'valid'],
    ['The parcel was left with your neighbour.', 'en', 'unresolved'],
    ['\ud800 \u0000 \u200b', 'unknown', 'valid'],
  ])('L107 %j is in the language %s, and %s where what is unknown is not passed', async (text, language, status) => {
    const strict = await check(rules('es', 'unchecked'), text)
    const { facts, unchecked } = strict
    expect([strict.status, facts.language?.language ?? (text === '' && 'unknown')]).toEqual([status, language])
    const streamed = await enforceStream({ contract: rules('es', 'unchecked'), runner: scripted([text, text, text]), prompt: 'x' }).outcome
    expect({ facts: streamed.facts, unchecked: streamed.unchecked }).toEqual({ facts, unchecked })
    expect((await check(rules('es'), text)).status).toBe(status === 'unchecked' ? 'valid' : status)
  })

  test('L110 says nothing of signs, however many', async () => {
    expect(await verdict('!'.repeat(100_000), 'es')).toEqual({ status: 'valid', language: 'unknown' })
  })

  test('L108 says why there is no verdict', async () => {
    const { unchecked } = await check(rules('de', 'unchecked'), 'Yes.')
    expect(unchecked.map(({ validator, message }) => [validator, message])).toEqual([
      ['language', 'the answer is too short, or too close to several languages, to tell its language'],
    ])
  })
})

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = join(folder, 'real-answers.jsonl')

test.skipIf(!existsSync(file))(
  'L109 beginnings of recorded English answers are wrong in English less often than another detector says',
  async () => {
    const texts = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text)
    let pieces = 0
    let wrong = 0
    let theirs = 0
    for (const text of texts) {
      const prose = text.replace(/```[\s\S]*?(```|$)/g, '\n')
      if (eld.detect(prose).language !== 'en') continue
      for (const letters of [25, 40, 60, 80]) {
        const piece = RegExp(`^(?:\\P{L}*\\p{L}){${letters}}`, 'u').exec(prose)?.[0]
        if (piece === undefined) continue
        pieces++
        if ((await verdict(piece, 'en')).status !== 'valid') wrong++
        if (eld.detect(piece).language !== 'en') theirs++
      }
    }
    expect(pieces).toBeGreaterThan(2000)
    expect(wrong).toBeLessThan(pieces / 500)
    expect(wrong).toBeLessThan(theirs)
  },
)
