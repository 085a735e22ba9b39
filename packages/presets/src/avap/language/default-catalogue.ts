import type { AvapAlias, AvapCatalogue } from './catalogue.ts'

const undefinedNames = (command: string, ...names: readonly string[]): Readonly<Record<string, AvapAlias>> =>
  Object.fromEntries(names.map((name) => [name, { command, wording: 'undefined' }]))
const unknownNames = (command: string, ...names: readonly string[]): Readonly<Record<string, AvapAlias>> =>
  Object.fromEntries(names.map((name) => [name, { command, wording: 'unknown' }]))

const condition = 'if(left, right, operator) … end()'
const loop = 'startLoop(name, from, to) … endLoop()'
const handler = 'try() … exception(name) … end()'

/** AVAP as its programs are written. */
export const defaultCatalogue: AvapCatalogue = {
  commands: {
    else: 0,
    end: 0,
    endLoop: 0,
    try: 0,
    exception: [0, 1],
    addResult: 1,
    getQueryParamList: 1,
    avapConnector: 1,
    go_async: { arguments: 1, block: true },
    gather: [1, 2],
    addVar: 2,
    addParam: 2,
    encodeSHA256: 2,
    encodeMD5: 2,
    ormDirect: 2,
    ormCheckTable: 2,
    getListLen: 2,
    variableToList: 2,
    go: 2,
    randomString: [2, 3],
    startLoop: 3,
    getRegex: 3,
    itemFromList: 3,
    AddvariableToJSON: 3,
    variableFromJSON: 3,
    if: { arguments: [3, 4], block: true },
    replace: 4,
    getDateTime: 4,
    getTimeStamp: 4,
    stampToDatetime: 4,
    ormAccessSelect: 4,
    ormAccessInsert: 4,
    ormAccessUpdate: 5,
    registerEndpoint: 6,
    RequestGet: { arguments: [4, 5], assigned: [3, 4] },
    RequestPost: { arguments: [5, 6], assigned: [4, 5] },
  },
  functions: ['str', 'int', 'float', 'len'],
  aliases: {
    ...undefinedNames('addResult', 'returnResult', 'sendResponse', 'returnResponse', 'setResponse'),
    ...undefinedNames('addVar', 'setVar', 'setVariable', 'createVariable', 'createVar', 'declareVar'),
    ...undefinedNames('addParam', 'readParam', 'getParam', 'getQueryParam'),
    ...unknownNames('encodeSHA256', 'getSHA256', 'sha256', 'hashSHA256'),
    ...unknownNames('encodeMD5', 'getMD5', 'md5', 'hashMD5'),
    ...undefinedNames('RequestGet', 'httpGet', 'getRequest'),
    ...undefinedNames('RequestPost', 'httpPost', 'postRequest'),
    ...undefinedNames('endLoop', 'loopEnd'),
  },
  constructs: [
    {
      words: ['for', 'foreach', 'while', 'do', 'loop', 'repeat', 'until', 'range'],
      required: 'AVAP loop syntax',
      suggestion: loop,
      opens: true,
    },
    { words: ['done', 'endfor', 'endwhile', 'next', 'break', 'continue'], required: 'AVAP loop syntax', suggestion: loop },
    { words: ['unless', 'switch', 'match'], required: 'AVAP condition syntax', suggestion: condition, opens: true },
    {
      words: ['elif', 'elsif', 'elseif', 'case', 'default', 'when', 'then', 'endif', 'fi'],
      required: 'AVAP condition syntax',
      suggestion: condition,
    },
    { words: ['catch', 'except', 'finally', 'rescue', 'raise', 'throw'], required: 'AVAP exception syntax', suggestion: handler },
    {
      words: ['def', 'func', 'fn', 'fun', 'sub', 'proc', 'async', 'class', 'struct', 'interface', 'enum', 'lambda'],
      required: 'AVAP function syntax',
      suggestion: 'function name(a, b) {',
      opens: true,
    },
    {
      words: ['let', 'const', 'var', 'val', 'dim', 'int', 'float', 'double', 'string', 'bool', 'boolean', 'char', 'auto', 'final', 'type'],
      required: 'AVAP assignment syntax',
      suggestion: 'name = expression',
    },
    {
      words: ['print', 'println', 'printf', 'echo', 'puts', 'fprintf', 'alert', 'log', 'res'],
      required: "'addResult'",
      suggestion: 'addResult(name)',
    },
    {
      words: ['select', 'insert', 'update', 'delete', 'create', 'alter', 'drop', 'truncate', 'with'],
      required: "SQL in 'ormDirect'",
      suggestion: 'ormDirect(sql, name)',
    },
    { words: ['app', 'router', 'express'], required: "'registerEndpoint'", suggestion: 'registerEndpoint(...)' },
    {
      words: ['import', 'from', 'require', 'include', 'using', 'use', 'package', 'namespace', 'module', 'export'],
      required: 'AVAP statement',
    },
    {
      words: ['public', 'private', 'protected', 'static', 'void', 'new', 'await', 'yield', 'defer', 'pass', 'del'],
      required: 'AVAP statement',
    },
  ],
  roots: [
    ...['console', 'document', 'window', 'process', 'Math', 'JSON', 'Object', 'Array', 'String', 'Number', 'Date', 'Promise', 'axios'],
    ...['fmt', 'strings', 'strconv', 'http', 'log', 'errors', 'time'],
    ...['System', 'Console', 'Integer', 'Arrays', 'Collections', 'Optional', 'Convert'],
    ...['os', 'sys', 'math', 'json', 're', 'random', 'requests', 'datetime', 'hashlib', 'logging', 'np', 'pd'],
    ...['std', 'self', 'this', '$', 'logger', 'Logger', 'Log', 'Debug', 'Thread', 'File', 'Files', 'Buffer', 'Reflect', 'Response'],
    ...['fs', 'crypto', 'subprocess', 'urllib', 'asyncio', 'base64', 'uuid', 'itertools', 'collections', 'bufio', 'ioutil', 'sort', 'sync'],
    ...['res', 'req', 'app', 'router', 'express', 'module', 'exports'],
  ],
}
