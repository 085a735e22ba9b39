const own = '(?:my|our|meine?[nmrs]?|unsere?[nmrs]?|mis?|nuestr[oa]s?)'
const account =
  'quotas?|usage|billing|invoices?|bills?|subscription|credits?(?! card)|balance|consumption|payments?|spend|spending|costs|expenses|allowance|rate limits?|token limits?|' +
  'rechnung(?:en)?|abrechnung|zahlung(?:en)?|abo|abonnement|kontingent|tarif|verbrauchs?|guthaben|nutzung|kosten|ausgaben|limits?|' +
  'facturas?|facturacion|pagos?|suscripcion|cuotas?|consumo|creditos|saldo|uso|gastos?|costes|tarifa|' +
  // A card that is charged, not one that is shown or found in a text.
  'receipts?|quittung(?:en)?|recibos?|(?:card|karte|tarjeta)(?=$| (?:on file|has|is|was|ist|wurde|ha|esta|fue|andern|aktualisieren|wechseln|entfernen)\\b)'
const amounts =
  'tokens?|requests?|credits?|calls|quota|usage|money|budget|anfragen|guthaben|kontingent|aufrufe|creditos?|peticiones|llamadas|cuota|saldo'
const accountWords =
  'quotas?|billing|invoices?|subscription|refunds?|charged|billed|payment (?:methods?|details|information)|credit card(?! numbers?| data| details)|kreditkarte|ruckerstattung|erstattung|abgebucht|reembolso|cobrado|tarjeta de credito|abrechnung|kontingent|abonnement|facturas?|facturacion|suscripcion|' +
  'zahlungs(?:methoden?|art(?:en)?|mittel|daten)|rechnungs(?:adresse|anschrift)|lastschrift|(?:metodo|forma|medio)s? de pago|' +
  'card (?:you have )?on file|(?:card|karte|tarjeta) (?:that |die |que )?(?:you|ihr|sie) (?:charge|belastet|belasten)|(?:vat|tax) (?:number|id)'
const changes =
  'upgrade|upgraden|downgraden|downgrade|cancel|renew|change|switch|kundige|kundigen|wechseln|verlangern|cancelar|renovar|cambiar|mejorar|bajar|subir|cambio|ampliar|actualizar'
const removes = 'delete|close|remove|losche|loschen|schliesse|schliessen|elimino|eliminar|borro|borrar|cierro|cerrar'
const ownContract = `${own} (?:contract|vertrag|contrato|account|konto|cuenta)(?=$| (?:at|in|on|by|before|now|today|early|please|zum|am|bitte|en|al|ahora)\\b)`

/** What a user says between `my` and `usage`: any other word names somebody else's (`my Claude subscription`). */
const kinds =
  'current|monthly|daily|weekly|annual|yearly|total|last|latest|next|own|new|old|full|remaining|free|paid|pro|personal|account|api|token|request|data|usage|billing|credit|card|plan|' +
  'aktuelle[nmrs]?|monatliche[nmrs]?|tagliche[nmrs]?|jahrliche[nmrs]?|gesamte[nmrs]?|letzte[nmrs]?|nachste[nmrs]?|restliche[nmrs]?|eigene[nmrs]?|neue[nmrs]?|' +
  'actual|mensual|diari[oa]|anual|total|ultim[oa]s?|proxim[oa]s?|propi[oa]|direccion|datos|metodo|forma|medio|de'
// backtracks: a clause of at most 80 words
const belongsToUser = new RegExp(`\\b${own} ((?:\\w+ ){0,2}?)(?:${account})\\b`)
const isKind = new RegExp(`^(?:${kinds})$`)
const howMany = /\b(?:how (?:many|much)|wie ?viele?s?|cuant[oa]s?)\b/
const ofWhat = new RegExp(`\\b(?:${amounts})\\b`)
const isLeftOrUsed =
  /\b(?:left|did (?:i|we)|remaining|remains?|used|spent|consumed|have (?:i|we)|do (?:i|we) (?:still )?have|ubrig|verbraucht|bleib(?:t|en) (?:mir|uns)|habe ich|haben wir|quedan?|restan?|tengo|tenemos|llevo|he (?:usado|gastado|consumido|hecho|realizado|enviado)|hemos|gemacht|gesendet|gestellt|made|sent)\b/
const byUser = new RegExp(
  `\\b(?:i|we|me|us|${own}|ich|wir|mir|uns|left|remaining|remains?|ubrig|quedan?|restan?|tengo|tenemos|llevo|llevamos|he|hemos)\\b`,
)
const thisPeriod =
  /\b(?:today|yesterday|so far|(?:this|last|the past) (?:hour|day|week|month|year)|heute|gestern|bisher|diese[nmrs]? (?:monat|woche|jahr)|letzte[nmrs]? (?:monat|woche|jahr)|hoy|ayer|(?:este|esta) (?:mes|semana|ano)|(?:mes|semana|ano) pasad[oa])\b/
const isLeft = new RegExp(
  `\\b(?:remaining|restliche[ns]?|verbleibende[ns]?) (?:${amounts})\\b|\\b(?:${amounts}) (?:left|remaining|ubrig|restantes?)\\b`,
)
// backtracks: a clause of at most 80 words
const changesPlan = new RegExp(
  `\\b(?:${changes}) (?:\\w+ ){0,4}(?:plan|subscription(?! to\\b)|tier|tarif|abo|suscripcion|membership|mitgliedschaft|membresia)\\b|\\b(?:${changes}|${removes}) (?:\\w+ ){0,4}${ownContract}`,
)
// German has the verb at the end.
// backtracks: a clause of at most 80 words
const changesOwn = new RegExp(
  `\\b(?:${own} (?:\\w+ )?(?:plan|vertrag|konto)|tarif|abo|abonnement) (?:\\w+ ){0,3}(?:${changes}|andern|erweitern|upzugraden|zu kundigen|loschen|schliessen)\\b`,
)
/** Without another object, to cancel, to pay or to need a bill is about the user's own account: a stream or a request would be named. */
const wants =
  'how|where|when|can|could|may|do|want|wish|would|like|need|have|to|i|we|d|just|please|wie|wo|wann|kann|konnen|darf|mochte|mochten|will|wollen|muss|mussen|ich|wir|hier|jederzeit|bitte|como|donde|cuando|puedo|podemos|quiero|queremos|quisiera|necesito|me|nos|favor|por'
const leaves = 'cancel|unsubscribe|renew|kundige|kundigen|cancelo|cancelar|(?:doy|damos|darme|darnos) de baja'
const anyTime =
  'ich|wir|here|now|please|any ?time|at any (?:time|moment)|online|early|immediately|today|hier|jetzt|bitte|jederzeit|vorzeitig|sofort|ahora|aqui|en cualquier momento|por favor'
const bill = '(?:an?|the|my|eine|die|meine|una|la|mi) (?:invoice|receipt|bill|rechnung|quittung|factura|recibo)'
// backtracks: a clause of at most 80 words
const wantsOnly = new RegExp(
  [
    `^(?:(?:${wants}) )+(?:${leaves})(?: (?:${anyTime}))*$`,
    `^(?:(?:${wants}) )+(?:pay|pagar)(?:$| (?:with|by|via|in|using|monthly|annually|yearly|con|por|mediante)\\b)`,
    '^(?:(?:wie|kann|konnen|darf|ich|wir|mochten?) )+(?:mit|per|auf|monatlich|jahrlich) (?:\\w+ ){0,3}(?:be)?zahlen$',
    `^(?:(?:${wants}|brauche|brauchen|benotige|benotigen|necesitamos) )+${bill}$`,
  ].join('|'),
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
const ownPlan = new RegExp(
  `\\b${own} (?:(?:${kinds}) )?${plan}\\b|\\b${plan} (?:\\w+ ){0,4}${price}\\b|\\b${price} (?:\\w+ ){0,3}${plan}\\b`,
)
/** What the user pays, owes, has used up or has left, where nothing else is named. */
const spending =
  'how much (?:(?:did|have) )?(?:i|we)(?: ve| have)? used?(?: up)?(?= (?:this|last|so|today|in)\\b|$)|' +
  'how much (?:do|did|have|am|are|will|must|should) (?:i|we) (?:\\w+ ){0,2}(?:pay|paying|paid|owe|spend|spent|spending|consumed?|be charged|be billed)|' +
  'what (?:do|did|have|am|are) (?:i|we) (?:owe|pay|paying|paid|spend|spent)|' +
  '(?:was|wie ?viel) (?:habe ich|haben wir) (?:\\w+ ){0,4}(?:verbraucht|ausgegeben|bezahlt|gezahlt)|' +
  'wie ?viel (?:muss ich|mussen wir) (?:\\w+ ){0,3}(?:be)?zahlen|' +
  '(?:was|wie ?viel) (?:be)?zahlen? (?:ich|wir)|' +
  'kostet (?:mich|uns)|bekommen? (?:ich|wir) (?:\\w+ ){0,3}rechnung|' +
  'cuanto (?:\\w+ )?(?:he|hemos|llevo|llevamos) (?:\\w+ )?(?:consumido|gastado|pagado)|cuanto consumo (?:llevo|llevamos|tengo|tenemos)|' +
  'cuanto (?:pago|pagamos|debo|debemos|gasto|gastamos|tengo que pagar|tenemos que pagar)|' +
  'cuanto (?:me|nos) (?:queda|cuesta)|' +
  `(?:left on|remains on|limits? of|charged to|limite de|queda en) ${own} (?:account|cuenta)|(?:tengo|tenemos) (?:aun |todavia )?(?:${amounts})$|` +
  `(?:habe ich|haben wir|do i|do we|me queda|nos queda|me quedan|nos quedan) (?:still |have |noch |any )*(?:${amounts})`
// backtracks: a clause of at most 80 words
const ownSpending = new RegExp(`\\b(?:${spending})\\b`)
const names = new RegExp(`\\b(?:${accountWords})\\b`)

const period =
  'this|these|last|the last|past|the past|next|today|yesterday|months?|days?|weeks?|years?|hours?|diese[nmrs]?|letzte[nmrs]?|heute|gestern|monat|tag|woche|jahr|stunde|este|esta|hoy|ayer|ultim[oa]|mes|dia|semana|ano|hora'
const others =
  'openai|chatgpt|gpt|codex|anthropic|claude|azure|microsoft|copilot|github|google|gemini|vertex|aws|amazon|bedrock|mistral|cohere|groq|xai|grok|deepseek|perplexity|openrouter|together|fireworks|hugging ?face|replicate|ollama|llama|cursor|cloudflare|grafana|prometheus|datadog|langfuse|langsmith'
const groups =
  'teams?|users?|customers?|tenants?|projects?|keys?|workers?|contracts?|departments?|requests?|calls?|anfragen?|aufrufe?|mandant(?:en)?|nutzer|benutzer|kunden?|projekte?|vertrag|equipos?|usuarios?|proyectos?|contratos?|peticion(?:es)?|llamadas?'
const article = '(?:(?:the|this|your|an?|one|eine?[nmrs]?|una?|der|die|das|dem|den|diese[nmrs]?|el|la|los|las|este|esta) )?'
/** What an account is counted in, and when: it names nobody else. */
const counted =
  `${own}|${period}|${amounts}|\\d+|me|us|i|we|you|mir|uns|ich|wir|date|data|daten|datos|apis?|service|platform|dienst|plattform|servicio|plataforma|account|konto|cuenta|moment|momento|end|ende|` +
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|marz|mai|juni|juli|oktober|dezember|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|' +
  'spring|summer|autumn|winter|quarter|quartal|trimestre'
/** Usage of, or a subscription to, something other than the user's own account is configured or documented, not looked up: an invoice from March is the user's own, one from OpenAI is not. */
// backtracks: a clause of at most 80 words
const ofOther = new RegExp(
  [
    `\\b(?:of|to|at|with|from|for|von|vom|bei|beim|mit|fur|de|del|a|con|en|para) ${article}(?:${others})\\b`,
    `\\b(?:by|durch|nach|por|pro) ${article}(?:${groups})\\b`,
    `\\b(?:per|je|each|every|jede[nmrs]?|cada) (?!(?:${period}|time|mal|vez)\\b)`,
    // One of many is not the user.
    `\\b(?:${account}|${plan}) (?:(?:of|by|for|von|fur|de|por|para) (?:an?|eine?[nmrs]?|una?)|eine[rs]) (?!(?:${counted})\\b)`,
    `\\b(?:(?:usage|nutzung|uso) (?:of|to|von|de|a)|${plan} (?:to|at|from|bei|beim|a|con)) (?!${article}(?:${counted})\\b)`,
  ].join('|'),
)
/** A quota is often set up for others; bills and subscriptions are the user's own. */
const setsUp =
  /\b(?:how (?:do|can|should|could|would) (?:i|we|you|one)|how to|wie (?:kann|konnen|setze|lege|begrenze|konfiguriere|definiere|andere)|como (?:puedo|podemos|se|configuro|limito|defino|establezco))\b/
const quota = /\b(?:quotas?|kontingente?|cuotas?)\b/
/** Costs that are kept low, or written down, by a program. */
const controls =
  /\b(?:reduc(?:e|ing)|lower|(?:to|i|we|you|can) limit|cap|control|restrict|estimate|predict|log|record|export|attribute|instead of|senken|begrenze|begrenzen|beschranken|protokolliere|protokollieren|aufzeichnen|exportieren|statt|anstatt|anstelle|reducir|reduzco|limito|limitar|controlar|registro|registrar|exportar|en (?:lugar|vez) de)\b/
/** A condition is about the account when it says so: `when I exceed my quota`, not `if the provider is down`. */
const condition = /(?:^| )(?:if|when|while|in case|wenn|falls|sobald|si|cuando)(?= )/
const aboutUser = new RegExp(`\\b(?:i|we|ich|wir|yo|${own}|${account}|${amounts}|${plan}|${period})\\b`)

/** Topics of questions about documentation or code. */
const subjects =
  /\b(?:commands?|functions?|keywords?|syntax|parameters?|arguments?|endpoints?|codes?|(?<!payment )methods?|modules?|librar(?:y|ies)|class(?:es)?|variables?|statements?|tables?|database|fields?|json|loops?|docs|documentation|examples?|befehle?|funktion(?:en)?|parameter|tabelle|datenbank|modul|beispiel|comandos?|funcion(?:es)?|parametros?|tablas?|base de datos|ejemplos?|modulos?|schemas?|schemata|esquemas?|pdfs?|(?:contract|vertrag|contrato) (?:for|fur|para)|extract(?:s|ing|ion)?|extrahieren?|extraer|pars(?:es?|ing)|validat(?:es?|ing|ion))\b/
/** Parts of a program that costs and plans of others are asked about. */
const parts =
  /\b(?:providers?|gateways?|prox(?:y|ies)|servers?|clients?|routes?|models?|agents?|upstreams?|api keys?|keys|retry|retries|retrying|streams?|streaming|cach(?:e|es|ed|ing)|repairs?|validators?|prompts?|context|kontext|contexto|logs|metrics?|dashboards?|steps?|(?<!\bon )files?|scripts?|anbieter|modelle?|agenten?|schlussel|wiederholung(?:en)?|zwischenspeicher|protokolle?|metrik(?:en)?|schritte?|dateien?|proveedor(?:es)?|modelos?|agentes?|claves?|reintentos?|servidor(?:es)?|clientes?|metricas?|pasos?|archivos?)\b/

/** Whether a clause of a query is about the user's own usage, quota or bill (RC-02), and not about a command, a field or another program of that name. */
export function asksAboutPlatform(clauses: readonly string[], language: string): boolean {
  // A comma before a condition does not separate it.
  const whole = clauses.map((clause, at) => (condition.exec(clauses[at + 1] ?? '')?.index === 0 ? `${clause} ${clauses[at + 1]}` : clause))
  return whole.some((clause) => isAboutPlatform(clause, language))
}

function isAboutPlatform(clause: string, language: string): boolean {
  if (asksForAmount(clause)) return true
  if (parts.test(clause) || controls.test(clause)) return false
  if ([changesPlan, changesOwn, wantsOnly].some((pattern) => pattern.test(clause))) return true
  if (subjects.test(clause) || dependsOnOthers(clause)) return false
  if ([isLeft, isOut, looksUp, ofPeriod, planOf, ownSpending].some((pattern) => pattern.test(clause))) return true
  if (ofOther.test(clause)) return false
  const between = belongsToUser.exec(clause)?.[1]
  if (between !== undefined) return between.split(' ').every((word) => word === '' || word === language || isKind.test(word))
  if (ownPlan.test(clause) && !setsUp.test(clause)) return true
  return !(setsUp.test(clause) && quota.test(clause)) && names.test(clause) && !clause.split(' ').includes(language)
}

function dependsOnOthers(clause: string): boolean {
  const at = clause.search(condition)
  // A question may begin with `when`.
  return at > 0 && !aboutUser.test(clause.slice(at))
}

/** Whether it asks how much the user has used or has left: what each key or client uses is measured by a program. */
function asksForAmount(clause: string): boolean {
  const at = clause.search(howMany)
  const rest = at < 0 ? '' : clause.slice(at)
  if (!isLeftOrUsed.test(rest) || !(ofWhat.test(rest) || spent.test(rest))) return false
  return byUser.test(rest) || (thisPeriod.test(rest) && !parts.test(rest))
}
