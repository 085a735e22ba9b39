export { CannotListen, type TlsTexts } from './grpc/listen.ts'
export { type ParserService, type ParserServiceOptions, startParserService } from './service/parser-service.ts'
