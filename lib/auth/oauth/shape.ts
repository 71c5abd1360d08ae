const SHAPE = /^eyJ[\w-]{10,500}\.eyJ[\w-]{20,4000}\.[\w-]{40,800}$/

/** Whether a text can be one of our access tokens, a signed JWT; anything else is refused without a look at keys or the database. */
export const isTokenShaped = (text: string): boolean => SHAPE.test(text)
