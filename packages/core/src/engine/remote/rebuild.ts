import { type ActiveValidator, prepareCheck } from '../../contract/configuration/read-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../contract/configuration-error.ts'
import type { Locale } from '../../contract/locale.ts'
import type { ValidatorDefinition } from '../../contract/validator.ts'
import { guardOutside } from './guard-outside.ts'
import type { CheckData } from './job.ts'

/** Builds the validators that checks describe; `find` gives the definition of each. */
export async function rebuild(
  checks: readonly CheckData[],
  locale: Locale,
  find: (check: CheckData) => ValidatorDefinition | undefined | Promise<ValidatorDefinition | undefined>,
): Promise<readonly ActiveValidator[]> {
  const problems: ConfigurationProblem[] = []
  const built: ActiveValidator[] = []
  for (const [at, check] of checks.entries()) {
    const definition = await find(check)
    const options = 'options' in check ? { options: check.options } : {}
    const prepared = definition && prepareCheck({ name: check.name, definition, at, ...options }, locale, problems)
    if (prepared) built.push(check.module === undefined ? prepared : guardOutside(prepared))
    else if (!definition) problems.push({ message: `there is no validator ${check.name} in ${check.module ?? 'the catalogue'}`, path: [] })
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return built
}
