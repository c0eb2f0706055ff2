/**
 * SQL for the name of an actor: the username of a user, or for any other actor, such as `system`, the actor's own text.
 * The cast lets the primary key find the user; comparing ids as texts would read every user.
 * @param actor SQL of the actor
 */
export const actorNameSql = (actor: string): string =>
  `coalesce((select username from users where id = case
    when ${actor} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${actor}::uuid end), ${actor})`
