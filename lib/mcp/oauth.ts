import type { Answerer } from '@/lib/http/endpoint'
import { observed } from '@/lib/http/logged'
import { notThere } from '@/lib/http/oauth/offered'
import { PUBLIC_CORS } from '@/lib/http/public'

/** Where MCP clients look for an authorization server and there is none: at guessed addresses, and everywhere without sign-in. */
export const noOAuth: Answerer = observed('oauth', async (_, answer) => {
  answer.add(PUBLIC_CORS)
  return notThere(answer)
})
