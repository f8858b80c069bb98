/** Every route of AI, attachments, messages and all else that people work with, with what it asks for. */
export const routesOfWork: readonly string[] = `
/.well-known/oauth-protected-resource GET anybody
/.well-known/oauth-protected-resource/v1/mcp GET anybody
/admin/ai/agent-tools GET ai_agent:detail tenant_agent:detail
/admin/ai/agents GET ai_agent:list tenant_agent:list
/admin/ai/agents POST ai_agent:create tenant_agent:create
/admin/ai/agents/import POST ai_agent:create tenant_agent:create
/admin/ai/agents/{agent_id} DELETE ai_agent:delete tenant_agent:delete
/admin/ai/agents/{agent_id} GET ai_agent:detail tenant_agent:detail
/admin/ai/agents/{agent_id} PUT ai_agent:update tenant_agent:update
/admin/ai/agents/{agent_id}/duplicate POST ai_agent:create tenant_agent:create
/admin/ai/agents/{agent_id}/export GET ai_agent:detail tenant_agent:detail
/admin/ai/agents/{agent_id}/publish POST ai_agent:publish tenant_agent:publish
/admin/ai/agents/{agent_id}/try POST ai_agent:update tenant_agent:update
/admin/ai/agents/{agent_id}/unpublish POST ai_agent:publish tenant_agent:publish
/admin/ai/agents/{agent_id}/versions GET ai_agent:detail tenant_agent:detail
/admin/ai/api-keys GET ai_api_key:list tenant_ai_key:list
/admin/ai/api-keys POST ai_api_key:create tenant_ai_key:create
/admin/ai/api-keys/{key_id} DELETE ai_api_key:delete tenant_ai_key:delete
/admin/ai/api-keys/{key_id} GET ai_api_key:detail tenant_ai_key:list
/admin/ai/api-keys/{key_id} PUT ai_api_key:update tenant_ai_key:update
/admin/ai/api-keys/{key_id}/rotate POST ai_api_key:rotate tenant_ai_key:rotate
/admin/ai/gateway GET ai_gateway:detail tenant_ai_gateway:detail
/admin/ai/gateway PUT ai_gateway:update tenant_ai_gateway:update
/admin/ai/gateway/failover POST ai_gateway:failover tenant_ai_gateway:failover
/admin/ai/gateway/markups GET ai_gateway:detail
/admin/ai/gateway/markups/{tenant_id} DELETE ai_gateway:update
/admin/ai/gateway/markups/{tenant_id} PUT ai_gateway:update
/admin/ai/gateway/routes GET ai_gateway:routes tenant_ai_gateway:routes
/admin/ai/gateway/routes POST ai_gateway:routes tenant_ai_gateway:routes
/admin/ai/gateway/routes/{route_id} DELETE ai_gateway:routes tenant_ai_gateway:routes
/admin/ai/gateway/routes/{route_id} PUT ai_gateway:routes tenant_ai_gateway:routes
/admin/ai/gateway/stats GET ai_gateway:stats tenant_ai_gateway:stats
/admin/ai/health GET ai_health:read tenant_ai_health:read
/admin/ai/health/alerts GET ai_health:alerts tenant_ai_health:alerts
/admin/ai/health/alerts POST ai_health:alerts tenant_ai_health:alerts
/admin/ai/health/alerts/{rule_id} DELETE ai_health:alerts tenant_ai_health:alerts
/admin/ai/health/checks GET ai_health:read tenant_ai_health:read
/admin/ai/health/logs GET ai_health:logs tenant_ai_health:logs
/admin/ai/health/metrics GET ai_health:metrics tenant_ai_health:metrics
/admin/ai/knowledge-bases GET ai_agent:list tenant_agent:list
/admin/ai/knowledge-bases POST ai_agent:create tenant_agent:create
/admin/ai/knowledge-bases/{knowledge_base_id} DELETE ai_agent:delete tenant_agent:delete
/admin/ai/knowledge-bases/{knowledge_base_id} GET ai_agent:detail tenant_agent:detail
/admin/ai/knowledge-bases/{knowledge_base_id} PUT ai_agent:update tenant_agent:update
/admin/ai/knowledge-bases/{knowledge_base_id}/documents GET ai_agent:detail tenant_agent:detail
/admin/ai/knowledge-bases/{knowledge_base_id}/documents POST ai_agent:update tenant_agent:update
/admin/ai/knowledge-bases/{knowledge_base_id}/documents/{document_id} DELETE ai_agent:update tenant_agent:update
/admin/ai/knowledge-bases/{knowledge_base_id}/documents/{document_id} GET ai_agent:detail tenant_agent:detail
/admin/ai/knowledge-bases/{knowledge_base_id}/documents/{document_id}/retry POST ai_agent:update tenant_agent:update
/admin/ai/knowledge-bases/{knowledge_base_id}/search POST ai_agent:detail tenant_agent:detail
/admin/ai/mcp-servers GET ai_mcp_server:list tenant_mcp_server:list
/admin/ai/mcp-servers POST ai_mcp_server:create tenant_mcp_server:create
/admin/ai/mcp-servers/test POST ai_mcp_server:test tenant_mcp_server:test
/admin/ai/mcp-servers/{server_id} DELETE ai_mcp_server:delete tenant_mcp_server:delete
/admin/ai/mcp-servers/{server_id} GET ai_mcp_server:detail tenant_mcp_server:detail
/admin/ai/mcp-servers/{server_id} PUT ai_mcp_server:update tenant_mcp_server:update
/admin/ai/mcp-servers/{server_id}/approve POST ai_mcp_server:update tenant_mcp_server:update
/admin/ai/mcp-servers/{server_id}/refresh POST ai_mcp_server:update tenant_mcp_server:update
/admin/ai/mcp-servers/{server_id}/test POST ai_mcp_server:test tenant_mcp_server:test
/admin/ai/models GET ai_model:list tenant_ai_model:list
/admin/ai/models POST ai_model:create tenant_ai_model:create
/admin/ai/models/{model_id} DELETE ai_model:delete tenant_ai_model:delete
/admin/ai/models/{model_id} GET ai_model:detail tenant_ai_model:detail
/admin/ai/models/{model_id} PUT ai_model:update tenant_ai_model:update
/admin/ai/models/{model_id}/versions GET ai_model:detail tenant_ai_model:detail
/admin/ai/models/{model_id}/versions POST ai_model:version tenant_ai_model:version
/admin/ai/provider-offers GET ai_provider:list tenant_ai_provider:list
/admin/ai/providers GET ai_provider:list tenant_ai_provider:list
/admin/ai/providers POST ai_provider:create tenant_ai_provider:create
/admin/ai/providers/test POST ai_provider:test tenant_ai_provider:test
/admin/ai/providers/{provider_id} DELETE ai_provider:delete tenant_ai_provider:delete
/admin/ai/providers/{provider_id} GET ai_provider:detail tenant_ai_provider:detail
/admin/ai/providers/{provider_id} PUT ai_provider:update tenant_ai_provider:update
/admin/ai/providers/{provider_id}/test POST ai_provider:test tenant_ai_provider:test
/admin/ai/quotas GET ai_quota:list tenant_ai_quota:list
/admin/ai/quotas POST ai_quota:create tenant_ai_quota:create
/admin/ai/quotas/{quota_id} GET ai_quota:detail tenant_ai_quota:list
/admin/ai/quotas/{quota_id} PUT ai_quota:update tenant_ai_quota:update
/admin/ai/quotas/{quota_id}/reset POST ai_quota:reset tenant_ai_quota:reset
/admin/ai/quotas/{quota_id}/usage GET ai_quota:usage tenant_ai_quota:list
/admin/ai/usage GET ai_usage:read tenant_usage:read
/admin/ai/usage/costs GET ai_usage:costs tenant_usage:read
/admin/ai/usage/export GET ai_usage:export tenant_usage:read
/admin/ai/usage/reports GET ai_usage:report tenant_usage:read
/admin/ai/usage/reports POST ai_usage:report tenant_usage:read
/admin/ai/usage/reports/{report_id} DELETE ai_usage:report tenant_usage:read
/admin/ai/usage/reports/{report_id} GET ai_usage:report tenant_usage:read
/admin/ai/usage/trends GET ai_usage:read tenant_usage:read
/admin/announcements GET platform_notification:send
/admin/announcements POST platform_notification:send
/admin/announcements/{announcement_id} DELETE platform_notification:send
/admin/attachments GET platform_attachment:list
/admin/attachments/{id} DELETE platform_attachment:delete
/admin/backups GET platform_backup:list
/admin/backups POST platform_backup:run
/admin/configs/storage/drivers GET platform_config:read
/admin/configs/storage/drivers/{driver_name}/schema GET platform_config:read
/admin/configs/storage/test-connection POST platform_config:update
/admin/hosts GET platform_health:read
/admin/system/hosts GET platform_health:read
/admin/webhooks GET platform_webhook:list
/admin/webhooks POST platform_webhook:create
/admin/webhooks/events GET platform_webhook:list
/admin/webhooks/{webhook_id} DELETE platform_webhook:delete
/admin/webhooks/{webhook_id} GET platform_webhook:list
/admin/webhooks/{webhook_id} PUT platform_webhook:update
/admin/webhooks/{webhook_id}/deliveries GET platform_webhook:list
/admin/webhooks/{webhook_id}/deliveries/{delivery_id} GET platform_webhook:list
/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/replay POST platform_webhook:update
/admin/webhooks/{webhook_id}/pause POST platform_webhook:update
/admin/webhooks/{webhook_id}/replay POST platform_webhook:update
/admin/webhooks/{webhook_id}/resume POST platform_webhook:update
/admin/webhooks/{webhook_id}/secret POST platform_webhook:update
/admin/webhooks/{webhook_id}/test POST platform_webhook:update
/ai/agent-chat/conversations GET user_conversation:list
/ai/agent-chat/conversations/{conversation_id} DELETE user_conversation:delete
/ai/agent-chat/conversations/{conversation_id} GET user_conversation:detail
/ai/agent-chat/conversations/{conversation_id} PATCH user_conversation:update
/ai/agent-chat/conversations/{conversation_id}/compact GET user_conversation:detail
/ai/agent-chat/conversations/{conversation_id}/compact POST user_conversation:update
/ai/agent-chat/conversations/{conversation_id}/memory-state DELETE user_conversation:delete
/ai/agent-chat/conversations/{conversation_id}/memory-state GET user_conversation:detail
/ai/agent-chat/conversations/{conversation_id}/messages/{message_id}/feedback PUT user_conversation:update
/ai/agent-chat/conversations/{conversation_id}/share DELETE user_conversation:update
/ai/agent-chat/conversations/{conversation_id}/share POST user_conversation:update
/ai/agent-chat/conversations/{conversation_id}/timeline GET user_conversation:detail
/ai/agent-chat/route POST user_agent:chat
/ai/agent-chat/runs/{run_id}/cancel POST user_agent:chat
/ai/agent-chat/runs/{run_id}/events GET user_agent:chat
/ai/agent-chat/{agent_id}/chat POST user_agent:chat
/ai/agent-chat/{agent_id}/chat/stream POST user_agent:chat
/ai/agents GET user_agent:list
/ai/agents/{agent_id}/knowledge-bases GET user_agent:list
/ai/memories GET user_conversation:detail
/ai/memories/export GET user_conversation:detail
/ai/memories/{memory_id} DELETE user_conversation:delete
/ai/memories/{memory_id} PATCH user_conversation:update
/announcements GET signed-in
/announcements/{announcement_id}/acknowledge POST signed-in
/api/public/attachments/{id}/access GET signed-in
/api/public/attachments/{id}/image GET signed-in
/api/public/csp-report POST anybody
/api/public/files/{token} GET anybody
/api/public/shared-conversations/{token} GET anybody
/asyncapi.json GET anybody
/attachments GET signed-in
/attachments/preflight POST signed-in
/attachments/tus POST signed-in
/attachments/tus/{tus_id} DELETE signed-in
/attachments/tus/{tus_id} GET signed-in
/attachments/tus/{tus_id} PATCH signed-in
/attachments/tus/{tus_id} POST signed-in
/attachments/upload POST signed-in
/attachments/upload-rules GET signed-in
/attachments/uploads/{upload_id} DELETE signed-in
/attachments/{id} DELETE signed-in
/attachments/{id} GET signed-in
/attachments/{id}/download GET signed-in
/attachments/{id}/preview-url GET signed-in
/configs/storage PUT tenant_config:update
/configs/storage/drivers GET platform_config:read tenant_config:groups
/configs/storage/drivers/{driver_name}/schema GET platform_config:read
/configs/storage/status GET tenant_config:groups
/configs/storage/test-connection POST platform_config:update tenant_config:update
/events/{namespace} GET signed-in
/notifications GET signed-in
/notifications/kinds GET signed-in
/notifications/read-all POST signed-in
/notifications/webhooks GET signed-in
/notifications/webhooks POST signed-in
/notifications/webhooks/events GET signed-in
/notifications/webhooks/{own_webhook_id} DELETE signed-in
/notifications/webhooks/{own_webhook_id} GET signed-in
/notifications/webhooks/{own_webhook_id} PUT signed-in
/notifications/webhooks/{own_webhook_id}/deliveries GET signed-in
/notifications/webhooks/{own_webhook_id}/deliveries/{own_delivery_id} GET signed-in
/notifications/webhooks/{own_webhook_id}/deliveries/{own_delivery_id}/replay POST signed-in
/notifications/webhooks/{own_webhook_id}/pause POST signed-in
/notifications/webhooks/{own_webhook_id}/replay POST signed-in
/notifications/webhooks/{own_webhook_id}/resume POST signed-in
/notifications/webhooks/{own_webhook_id}/secret POST signed-in
/notifications/webhooks/{own_webhook_id}/test POST signed-in
/notifications/{notification_id} DELETE signed-in
/notifications/{notification_id}/read POST signed-in
/tenant/announcements GET tenant_notification:send
/tenant/announcements POST tenant_notification:send
/tenant/announcements/{announcement_id} DELETE tenant_notification:send
/tenant/attachments GET tenant_attachment:list
/tenant/attachments/{id} DELETE tenant_attachment:delete
/tenant/attachments/{id} GET tenant_attachment:list
/tenant/configs/storage PUT tenant_config:update
/tenant/configs/storage/drivers GET tenant_config:groups
/tenant/configs/storage/status GET tenant_config:groups
/tenant/configs/storage/test-connection POST tenant_config:update
/tenant/webhooks GET tenant_webhook:list
/tenant/webhooks POST tenant_webhook:create
/tenant/webhooks/events GET tenant_webhook:list
/tenant/webhooks/{webhook_id} DELETE tenant_webhook:delete
/tenant/webhooks/{webhook_id} GET tenant_webhook:list
/tenant/webhooks/{webhook_id} PUT tenant_webhook:update
/tenant/webhooks/{webhook_id}/deliveries GET tenant_webhook:list
/tenant/webhooks/{webhook_id}/deliveries/{delivery_id} GET tenant_webhook:list
/tenant/webhooks/{webhook_id}/deliveries/{delivery_id}/replay POST tenant_webhook:update
/tenant/webhooks/{webhook_id}/pause POST tenant_webhook:update
/tenant/webhooks/{webhook_id}/replay POST tenant_webhook:update
/tenant/webhooks/{webhook_id}/resume POST tenant_webhook:update
/tenant/webhooks/{webhook_id}/secret POST tenant_webhook:update
/tenant/webhooks/{webhook_id}/test POST tenant_webhook:update
/v1/chat/completions POST anybody
/v1/embeddings POST anybody
/v1/mcp DELETE anybody
/v1/mcp GET anybody
/v1/mcp POST anybody
/v1/messages POST anybody
/v1/messages/count_tokens POST anybody
/v1/models GET anybody
/v1/models/{model_id} GET anybody
/v1/responses POST anybody
`
  .trim()
  .split('\n')
