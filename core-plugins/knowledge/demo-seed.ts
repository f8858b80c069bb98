import type { Knex } from 'knex'
import { createSortableId, type TenantResolver } from '#kernel'
import { demoKnowledgeBaseId } from '../agents/contract.ts'
import type { Jobs } from '../jobs/contract.ts'
import { enqueueIndexing } from './indexing/enqueue.ts'
import { KnowledgeBaseRow, KnowledgeDocumentRow } from './tables.ts'

const documents: readonly (readonly [title: string, text: string])[] = [
  [
    'Orders and deliveries',
    `## Where is my order?

The state of an order stands under My orders, with a link to the parcel service once it has left the warehouse. Orders placed before noon leave the same day.

## Delivery

Standard delivery takes three to five working days, express one. It costs 4.90 and is free for orders above 50.

## Damaged parcels

Take photos of the parcel and write to us within seven days: we send the goods again or pay the money back.`,
  ],
  [
    'Returns and refunds',
    `## Returning goods

Goods may be returned within thirty days. Print the label under My orders and hand the parcel in at any post office.

## Refunds

The money goes back to the card that was used, within ten working days after the goods have arrived at our warehouse.

## Warranty

Devices come with a warranty of two years, batteries with six months.`,
  ],
  [
    '订单与退款',
    `## 我的订单在哪里？

订单状态可在“我的订单”中查看；包裹出库后会显示物流链接。中午十二点前的订单当天发货。

## 配送

标准配送需三至五个工作日，加急配送次日送达。运费 4.90，订单满 50 免运费。

## 退货

商品可在三十天内退货。请在“我的订单”中打印退货标签，并将包裹交到任一邮局。

## 退款

仓库收到退货后十个工作日内，款项退回原支付卡。

## 保修

设备保修两年，电池保修六个月。`,
  ],
]

/** Gives the demo tenant of a first start a knowledge base for everybody, in which its agent for customers looks. */
export async function seedDemo(
  db: Knex,
  tenants: Pick<TenantResolver, 'byCode'>,
  jobs: Pick<Jobs, 'enqueue'>,
): Promise<void> {
  const demo = await tenants.byCode('demo')
  if (!demo) return
  await db.transaction(async (trx) => {
    const base = await KnowledgeBaseRow.of(demo.id, trx)
      .insert({
        ...{ id: demoKnowledgeBaseId, name: 'Shop', description: 'What a shop tells its customers', language: null },
        ...{ accessMode: 'all', accessRoles: [], accessOrgs: [], accessUsers: [], topK: 4, minScore: 0.2 },
        ...{ documentCount: documents.length, embeddingModel: 'demo-embedding' },
      })
      .returning('*')
    for (const [title, content] of documents) {
      const about = { title, content, mimeType: 'text/markdown', size: Buffer.byteLength(content) }
      const row = await KnowledgeDocumentRow.of(demo.id, trx)
        .insert({ id: createSortableId('doc'), baseId: base.id, source: 'text', status: 'queued', ...about })
        .returning('*')
      await enqueueIndexing(jobs, trx, row)
    }
  })
}
