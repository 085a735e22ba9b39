const own = '(?:my|our|meine?[nmrs]?|unsere?[nmrs]?|mis?|nuestr[oa]s?)'
const account =
  'quotas?|usage|billing|invoices?|bills?|subscription|credits?|balance|consumption|spend|spending|costs|expenses|allowance|rate limits?|token limits?|' +
  'rechnung(?:en)?|abrechnung|abo|abonnement|kontingent|tarif|verbrauchs?|guthaben|nutzung|kosten|ausgaben|limits?|' +
  'facturas?|facturacion|suscripcion|cuotas?|consumo|creditos|saldo|uso|gastos?|costes|tarifa'
const amounts =
  'tokens?|requests?|credits?|calls|quota|usage|money|budget|anfragen|guthaben|kontingent|aufrufe|creditos?|peticiones|llamadas|cuota|saldo'
const accountWords =
  'quotas?|billing|invoices?|subscription|refunds?|charged|billed|payment method|credit card|kreditkarte|ruckerstattung|erstattung|abgebucht|reembolso|cobrado|tarjeta de credito|abrechnung|kontingent|abonnement|facturas?|facturacion|suscripcion'
const changes =
  'upgrade|upgraden|downgraden|downgrade|cancel|renew|change|switch|kundige|kundigen|wechseln|verlangern|cancelar|renovar|cambiar|mejorar|cambio|ampliar|actualizar'

const belongsToUser = new RegExp(`\\b${own} (?:\\w+ )?(?:${account})\\b`)
const howMany = /\b(?:how (?:many|much)|wie ?viele?s?|cuant[oa]s?)\b/
const ofWhat = new RegExp(`\\b(?:${amounts})\\b`)
const isLeftOrUsed =
  /\b(?:left|did (?:i|we)|remaining|remains?|used|spent|consumed|have (?:i|we)|do (?:i|we) (?:still )?have|ubrig|verbraucht|bleib(?:t|en) (?:mir|uns)|habe ich|haben wir|quedan?|restan?|tengo|tenemos|llevo|he (?:usado|gastado|consumido|hecho|realizado|enviado)|hemos|gemacht|gesendet|gestellt|made|sent)\b/
const isLeft = new RegExp(
  `\\b(?:remaining|restliche[ns]?|verbleibende[ns]?) (?:${amounts})\\b|\\b(?:${amounts}) (?:left|remaining|ubrig|restantes?)\\b`,
)
// backtracks: a clause of at most 80 words
const changesPlan = new RegExp(
  `\\b(?:${changes}) (?:\\w+ ){0,3}(?:plan|subscription|tier|tarif|abo|suscripcion|${own} (?:contract|vertrag|contrato))\\b`,
)
// German has the verb at the end.
// backtracks: a clause of at most 80 words
const changesOwn = new RegExp(
  `\\b${own} (?:\\w+ )?(?:plan|tarif|abo|abonnement|vertrag) (?:\\w+ ){0,3}(?:${changes}|andern|erweitern|upzugraden|zu kundigen)\\b`,
)
const isOut = new RegExp(`\\b(?:ran|run|running|are|am|is) out of (?:\\w+ )?(?:${amounts})\\b`)
const spent = /\b(?:spent|paid|ausgegeben|bezahlt|gezahlt|gastado|pagado)\b/
const looksUp = new RegExp(
  `^(?:show|check|see|view|display|get|zeige?|ver|muestra)(?: me| mir)?(?: the| die| den| la| el)?(?: \\w+)? (?:${account})$`,
)
const ofPeriod = new RegExp(`^(?:${account}) (?:this|last|today|diesen|letzten|heute|este|hoy)\\b`)
const plan = '(?:plan|tier|tarifs?|tarifa|abos?|abonnement|subscription|suscripcion)'
const price = '(?:costs?|prices?|priced|expensive|cheap|kostet|kosten|preise?|teuer|cuesta|cuestan|precios?|caro)'
const isOn =
  '(?:am i|are we|do i have|do we have|do i use|bin ich|sind wir|habe ich|haben wir|nutze ich|nutzen wir|tengo|tenemos|estoy|estamos|uso|usamos)'
// backtracks: a clause of at most 80 words
const planOf = new RegExp(`\\b${plan} ${isOn}\\b|\\b${isOn} (?:\\w+ ){0,3}${plan}$`)
/** The user's plan, or the price of one: not a plan that is written or set up. */
// backtracks: a clause of at most 80 words
const ownPlan = new RegExp(`\\b${own} (?:\\w+ )?${plan}\\b|\\b${plan} (?:\\w+ ){0,3}${price}\\b|\\b${price} (?:\\w+ ){0,3}${plan}\\b`)
/** What the user pays, owes, has used up or has left, where nothing else is named. */
const spending =
  'how much (?:do|did|have|am|are|will|must|should) (?:i|we) (?:\\w+ ){0,2}(?:pay|paying|paid|owe|spend|spent|spending|consumed?|be charged|be billed)|' +
  'what (?:do|did|have|am|are) (?:i|we) (?:owe|pay|paying|paid|spend|spent)|' +
  '(?:was|wie ?viel) (?:habe ich|haben wir) (?:\\w+ ){0,4}(?:verbraucht|ausgegeben|bezahlt|gezahlt)|' +
  'wie ?viel (?:muss ich|mussen wir) (?:\\w+ ){0,3}(?:be)?zahlen|' +
  '(?:was|wie ?viel) (?:be)?zahlen? (?:ich|wir)|' +
  'kostet (?:mich|uns)|' +
  'cuanto (?:\\w+ )?(?:he|hemos|llevo|llevamos) (?:\\w+ )?(?:consumido|gastado|pagado)|' +
  'cuanto (?:pago|pagamos|debo|debemos|gasto|gastamos|tengo que pagar|tenemos que pagar)|' +
  'cuanto (?:me|nos) (?:queda|cuesta)|' +
  `(?:habe ich|haben wir|do i|do we|me queda|nos queda|me quedan|nos quedan) (?:still |have |noch |any )*(?:${amounts})`
// backtracks: a clause of at most 80 words
const ownSpending = new RegExp(`\\b(?:${spending})\\b`)
const names = new RegExp(`\\b(?:${accountWords})\\b`)

/** Quotas of something other than the user are configured, not looked up in the account. */
const ofOther = new RegExp(
  `\\b(?:${account}) (?:of|per|for each|for every|for an?|von|eines|einer|des|pro|fur eine?n?|de un|de una|del|de cada|por|para un|para una) (?!(?:${own}|this|last|the last|today|diesen|diesem|letzten|heute|este|hoy|mes)\\b)`,
)
/** A quota is often set up for others; bills and subscriptions are the user's own. */
const setsUp =
  /\b(?:how (?:do|can|should|could|would) (?:i|we|you|one)|how to|wie (?:kann|konnen|setze|lege|begrenze|konfiguriere|definiere|andere)|como (?:puedo|podemos|se|configuro|limito|defino|establezco))\b/
const quota = /\b(?:quotas?|kontingente?|cuotas?)\b/

/** Topics of questions about documentation or code. */
const subjects =
  /\b(?:commands?|functions?|keywords?|syntax|parameters?|arguments?|endpoints?|codes?|methods?|modules?|librar(?:y|ies)|class(?:es)?|variables?|statements?|tables?|database|fields?|json|loops?|docs|documentation|examples?|befehle?|funktion(?:en)?|parameter|tabelle|datenbank|modul|beispiel|comandos?|funcion(?:es)?|parametros?|tablas?|base de datos|ejemplos?|modulos?)\b/

/** Whether a clause is about the user's own usage, quota or bill (RC-02), and not about a command or a field of that name. */
export function isAboutPlatform(clause: string, language: string): boolean {
  if ((asksForAmount(clause) && isLeftOrUsed.test(clause)) || changesPlan.test(clause) || changesOwn.test(clause)) return true
  if (subjects.test(clause)) return false
  if ([belongsToUser, isLeft, isOut, looksUp, ofPeriod, planOf, ownSpending].some((pattern) => pattern.test(clause))) return true
  if (ownPlan.test(clause) && !setsUp.test(clause)) return true
  if (ofOther.test(clause) || (setsUp.test(clause) && quota.test(clause))) return false
  return names.test(clause) && !clause.split(' ').includes(language)
}

function asksForAmount(clause: string): boolean {
  const at = clause.search(howMany)
  const rest = at < 0 ? '' : clause.slice(at)
  return ofWhat.test(rest) || spent.test(rest)
}
