import { type CodeEntry, type Contract, engineCodes } from '@stickler/core'

/** A SARIF rule: a code that an issue may have. */
export interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly fullDescription: { readonly text: string }
  readonly help: { readonly text: string; readonly markdown: string }
  readonly defaultConfiguration: { readonly level: 'error' | 'warning' }
  readonly properties: { readonly tags: readonly string[] }
}

/** The codes that a contract can report, from its validators and the engine. */
export function sarifRules({ validators }: Contract): readonly SarifRule[] {
  const rules = new Map<string, SarifRule>()
  const add = (validator: string, codes: Readonly<Record<string, CodeEntry>>): void => {
    for (const [code, entry] of Object.entries(codes)) if (!rules.has(code)) rules.set(code, ruleOf(code, validator, entry))
  }
  for (const { definition } of validators) add(definition.name, definition.codes)
  add('stickler', engineCodes)
  return [...rules.values()]
}

function ruleOf(code: string, validator: string, { severity, when, fix }: CodeEntry): SarifRule {
  return {
    id: code,
    shortDescription: { text: when },
    fullDescription: { text: `${when} Reported by ${validator}.` },
    help: { text: `${fix} (stickler explain ${code})`, markdown: `${fix}\n\nRun \`stickler explain ${code}\` for details.` },
    defaultConfiguration: { level: severity },
    properties: { tags: [validator] },
  }
}
