/** The default name of the configuration file. */
export const configName = 'stickler.yaml'
