import type { ConfigurationProblem } from '@stickler/core'
import { isFields } from '@stickler/core/runners'
import { checkEnvironment } from './environment-needs.ts'
import { memberOf } from './plain-data.ts'
import { type ConfigFile, type ConfigSurroundings, inspectConfig } from './read-config-file.ts'

/**
 * Reads a configuration to serve: every environment variable that it names must be set, and every
 * model must have an upstream.
 */
export async function readServedFile(source: string, file: string, around: ConfigSurroundings): Promise<ConfigFile> {
  return inspectConfig(source, file, around, (data) => [...checkEnvironment(data, around.env), ...needRoutes(data)])
}

function needRoutes(data: unknown): ConfigurationProblem[] {
  const routes = memberOf(data, 'routes')
  // A gateway may serve questions alone.
  if (!isFields(data) || memberOf(data, 'ask') !== undefined || (routes !== undefined && !(Array.isArray(routes) && routes.length === 0)))
    return []
  return [
    {
      message:
        'there are no routes; map a model to an upstream and a contract, such as routes: [{ model: fast, upstream: NAME, contract: NAME }]',
      path: [],
    },
  ]
}
