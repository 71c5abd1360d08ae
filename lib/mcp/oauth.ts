import type { Answerer } from '@/lib/http/endpoint'
import { limitDocument } from '@/lib/http/limit'
import { observed } from '@/lib/http/logged'
import { notThere } from '@/lib/http/oauth/offered'
import { PUBLIC_CORS } from '@/lib/http/public'

/** Answers MCP clients that look for an authorization server where there is none: at guessed addresses, and everywhere without sign-in. */
export const noOAuth: Answerer = observed('oauth', async (request, answer) => {
  answer.add(PUBLIC_CORS)
  try {
    limitDocument('no_oauth', request)
    return notThere(answer)
  } catch (error) {
    return answer.error(error)
  }
})
