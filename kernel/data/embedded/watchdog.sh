# Stands for one process of ours beside the embedded PostgreSQL: $1 is the folder of the locks, $2 the server's postmaster.pid.
# The process keeps our standard input open; its end, however it came, is the end of that input. The last one out stops the server.
# Kernel locks are used because they end with their holder, also after kill -9.
umask 077
trap '' HUP INT TERM
exec 8>>"$1/start.lock" 9>>"$1/members.lock"
# Waits while the last member is stopping the server.
flock -s 9
echo member
while read -r word; do
  case $word in
    lock) flock -x 8 && echo locked ;;
    unlock) flock -u 8 ;;
  esac
done
flock -u 8
flock -xn 9 || exit 0
pid=$(head -n 1 "$2" 2>/dev/null) || exit 0
case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in
  *postgres*) kill -INT "$pid" || exit 0 ;;
  *) exit 0 ;;
esac
# Fast shutdown removes the file; after 20 s the server is stopped hard and recovers from its log at the next start.
tries=0
while [ -e "$2" ]; do
  tries=$((tries + 1))
  [ "$tries" -eq 400 ] && kill -QUIT "$pid"
  [ "$tries" -ge 500 ] && exit 1
  sleep 0.05
done
