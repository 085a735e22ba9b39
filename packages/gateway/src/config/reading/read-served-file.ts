import type { ConfigurationProblem } from '@stickler/core'
import { isFields } from '@stickler/core/runners'
import { checkEnvironment } from './environment-needs.ts'
import { memberOf } from './plain-data.ts'
import { type ConfigFile, type ConfigSurroundings, inspectConfig } from './read-config-file.ts'

/** Reads a configuration that is to be served: every environment variable that it names must be there, and every model must lead somewhere. */
export async function readServedFile(source: string, file: string, around: ConfigSurroundings): Promise<ConfigFile> {
  return inspectConfig(source, file, around, (data) => [...checkEnvironment(data, around.env), ...needRoutes(data)])
}

function needRoutes(data: unknown): ConfigurationProblem[] {
  const routes = memberOf(data, 'routes')
  // A gateway may be there for questions alone.
  if (!isFields(data) || memberOf(data, 'ask') !== undefined || (routes !== undefined && !(Array.isArray(routes) && routes.length === 0)))
    return []
  return [{ message: "there are no routes; write which model leads where, such as routes: [{ model: '*', upstream: NAME }]", path: [] }]
}
