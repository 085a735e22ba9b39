export { CannotListen, type TlsTexts } from '@stickler/node/grpc'
export { type ParserService, type ParserServiceOptions, startParserService } from './service/parser-service.ts'
