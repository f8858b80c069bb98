import type { BenchPlatform } from './bench-platform.ts'
import { compareThroughput } from './load.ts'
import { print } from './print.ts'

/** A route that asks who calls, and a bare Koa that checks the same token, in turns. */
export async function measureAuthenticated(platform: BenchPlatform): Promise<void> {
  const headers = { authorization: `Bearer ${platform.owner.token ?? ''}` }
  const floor = await platform.serve('bare-jwt.ts')
  const { route, bare } = await compareThroughput(
    {
      route: { url: `${platform.owner.url}/bench/who`, method: 'GET', headers },
      bare: { url: floor, method: 'GET', headers },
    },
    { rounds: 3, seconds: 3 },
  )
  print('bare Koa that verifies the token with jose, 32 connections', `${Math.round(bare)}/s`, 'the floor')
  print('authenticated JSON route / bare Koa with jose', (route / bare).toFixed(2), 'aim ≥ 0.6')
}
