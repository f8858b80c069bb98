import type { ProfileBody, SignInBody } from '../../../auth/wire.ts'

/** Who is signed in, as `…/auth/me` tells. */
export type Me = ProfileBody
/** Which kinds of characters a password must have. */
export type PasswordComplexity = ProfileBody['password_rules']['complexity']
/** What a sign-in answers. */
export type SignedIn = SignInBody
