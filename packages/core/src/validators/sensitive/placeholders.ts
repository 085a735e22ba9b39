/** Domains that no mailbox can have: they are set aside for examples and tests. */
const reserved = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/

/** The name of a domain that stands for any: `yourdomain.com`, `company.com`. */
const anyDomain =
  /^(?:example|sample|placeholder|domain|company|email|website|provider|(?:your|my|some|any|deine?|ihre?)-?(?:domain|company|website|email|mail|site|business|organi[sz]ation|school|firma|server|host|app|store|shop|brand))$/

/** The name of a mailbox that stands for any, whatever its domain. */
const anyName =
  /^(?:(?:your|my|dein|deine|ihre)(?:[._-].*|(?:e-?mail|name|user|id|address|account|company|first|last|full).*)|(?:(?:recipient|sender|receiver|admin|user|customer|client|from|to|target|source|destination|test|example|contact|support|student|employee|manager|company|work|personal|valid|some|new|old|other)[._-]?)+e-?mail(?:[._-]?(?:address|id|account|here))?|user-?name|placeholder|first(?:name)?[._-]?last(?:name)?|name[._-]surname|vorname[._-]nachname|(?:max|erika)[._-]?mustermann)\d{0,3}$/

/** A name that stands for any with a provider of mailboxes. */
const commonName =
  /^(?:user|name|e-?mail|mail|test|tester|testing|sample|demo|dummy|fake|example|foo|bar|foobar|abc|xyz|someone|somebody)\d{0,4}$/
const provider = /^(?:gmail|googlemail|yahoo|outlook|hotmail|live|icloud|aol|protonmail|proton|mail|gmx|web)\./

/** Whether an address stands for a real one; `labels` are those of its domain, in small letters. */
export function isPlaceholderAddress(local: string, labels: readonly string[]): boolean {
  const name = local.toLowerCase()
  const domain = labels.join('.')
  // `co.uk` is as much a top level as `com`.
  const own = labels.at(labels.length > 2 && /^(?:com?|org|net|ac)$/.test(labels.at(-2) ?? '') ? -3 : -2) ?? ''
  return reserved.test(domain) || anyDomain.test(own) || anyName.test(name) || (provider.test(domain) && commonName.test(name))
}

/** Numbers that regulators have set aside for films and examples, by their digits without country: of North America, Britain, France, Germany and Australia. */
const fiction: Readonly<Record<string, RegExp>> = {
  1: /^(?:\d{3}55501\d{2}|555\d{7})$/,
  44: /^(?:7700900\d{3}|(?:1134|1144|1154|1164|1174|1184|1214|1314|1414|1514|1614)960\d{3}|1632960\d{3}|2079460\d{3}|2890180\d{3}|2920180\d{3}|3069990\d{3}|8081570\d{3}|9098790\d{3}|1914980\d{3})$/,
  33: /^(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  49: /^(?:3023125|6990009|4066969|2214710|8999998)\d{3}$|^(?:15228817386|15228895456|15228754\d{3}|1729925904|1729968532|1729973185|17499104\d{2}|1749464308|17139200\d{2}|17630000\d{3,4})$/,
  61: /^(?:[2378](?:5550|7010)\d{4}|491570(?:006|156|157|158|159|110|313|737)|49157\d{1}\d{3}|1800975707|180097571\d)$/,
}

/** Whether a telephone number is one that is set aside for examples. */
export function isPlaceholderNumber(written: string): boolean {
  const digits = written.replace(/\(0\)|\D/g, '')
  if (/^(?:\+|00)/.test(written)) {
    const international = digits.replace(/^00/, '')
    return Object.entries(fiction).some(
      ([country, numbers]) => international.startsWith(country) && numbers.test(international.slice(country.length)),
    )
  }
  if (!digits.startsWith('0')) return fiction['1']?.test(digits.replace(/^1(?=\d{10}$)/, '')) ?? false
  return ['44', '33', '49', '61'].some((country) => fiction[country]?.test(digits.slice(1)))
}
