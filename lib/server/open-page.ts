import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { isOwnOrigin } from '@/lib/http/origin'
import { isPage } from '@/lib/http/page-policy'
import { headerOf } from './address'
import { declaresBody, withBody } from './bodies'
import type { NodeHandler } from './front'
import { allowPage, servePage } from './pages'
import { pathOf } from './route'
import { serveStatic } from './static-files'
import { closeUnread } from './unread-body'
import { allowTime, isUpload } from './uploads'

/** Refuses a form from another site with a clear 403 before its body is read; Next would answer 500. */
function checkOrigin(request: IncomingMessage, settings: Env): void {
  const origin = headerOf(request, 'origin')
  if (origin === null || ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')) return
  if (!isOwnOrigin(origin, headerOf(request, 'host'), settings))
    throw new ServiceError('forbidden', 'This form was sent from another site. Open the portal and try again there.')
}

/** Answers with a file, or passes a request to a page once its body has arrived; an upload is streamed. */
export function openPage(request: IncomingMessage, response: ServerResponse, pages: NodeHandler, settings: Env): void {
  if (serveStatic(pathOf(request), request, response)) return
  checkOrigin(request, settings)
  if (declaresBody(request)) closeUnread(request, response)
  if (isUpload(request)) {
    if (allowPage(request, response) && allowTime(request, response, UPLOAD)) pages(request, response)
    return
  }
  // In development a page has hundreds of files, and Next answers for them.
  const isFile = !settings.production && !isPage(pathOf(request))
  const serve = () => (isFile ? pages(request, response) : servePage(request, response, pages))
  withBody(request, response, 'whole', serve)
}
