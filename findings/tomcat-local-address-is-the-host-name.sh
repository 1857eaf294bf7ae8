#!/usr/bin/env bash
# Tool: Apache Tomcat 10.1.60 (Debian bookworm, libtomcat10-java and tomcat10-common), fetched with apt-get download; version checked. Needs Java.
# Behaviour: %A ("local IP address") of AccessLogValve, localAddr of JsonAccessLogValve and s-ip of
#   ExtendedAccessLogValve are not the address that the client connected to. They are what the name of the machine
#   resolved to when the valve was loaded, one value for all connections, also in rows of clients over IPv6.
# Output seen: connections to 127.0.0.1, 127.0.0.9 and ::1, with a name that resolves to 192.0.2.77 (an address that
#   the machine does not have): `127.0.0.1 192.0.2.77`, `127.0.0.1 192.0.2.77`, `0:0:0:0:0:0:0:1 192.0.2.77`.
# Why one guesses wrong: %A in Apache httpd and s-ip in IIS are the local end of the connection, the names and the
#   descriptions are the same, and the %a and %p beside it are of the connection. On Debian, where /etc/hosts often
#   gives the name to 127.0.1.1, each request seems to have gone to loopback.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
cd "$dir"
command -v java > /dev/null || apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless > /dev/null 2>&1
apt-get download libtomcat10-java tomcat10-common > /dev/null 2>&1
case $(dpkg-deb -f libtomcat10-java_*.deb Version) in 10.1.*) ;; *) echo "another Tomcat"; exit 1;; esac
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
mkdir -p base/conf base/logs base/webapps/ROOT base/temp base/work
echo hello > base/webapps/ROOT/a.txt
printf '192.0.2.77 %s\n127.0.0.1 localhost\n' "$(hostname)" > hosts
cat > base/conf/server.xml <<'X'
<Server port="-1"><Service name="Catalina">
<Connector port="18431" address="127.0.0.1"/><Connector port="18431" address="127.0.0.9"/><Connector port="18431" address="::1"/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps">
<Valve className="org.apache.catalina.valves.AccessLogValve" prefix="plain" suffix=".txt" fileDateFormat="" buffered="false" pattern="%a %A %p"/>
<Valve className="org.apache.catalina.valves.JsonAccessLogValve" prefix="json" suffix=".txt" fileDateFormat="" buffered="false" pattern="%a %A"/>
<Valve className="org.apache.catalina.valves.ExtendedAccessLogValve" prefix="w3c" suffix=".txt" fileDateFormat="" buffered="false" pattern="c-ip s-ip"/>
</Host></Engine></Service></Server>
X
java -Djdk.net.hosts.file="$dir/hosts" -Dcatalina.base="$dir/base" -Dcatalina.home="$dir/tree/usr/share/tomcat10" -Djava.io.tmpdir="$dir/base/temp" \
  -cp "$dir/tree/usr/share/tomcat10/bin/bootstrap.jar:$dir/tree/usr/share/java/tomcat10-juli.jar" org.apache.catalina.startup.Bootstrap start > out 2>&1 & pid=$!
for _ in $(seq 60); do curl -s -m 2 -o /dev/null http://127.0.0.1:18431/a.txt && break; sleep 0.5; done
curl -s -m 5 -o /dev/null http://127.0.0.9:18431/a.txt
curl -s -m 5 -g -o /dev/null 'http://[::1]:18431/a.txt'
sleep 1
cat base/logs/plain.txt base/logs/json.txt base/logs/w3c.txt
grep -qx '127.0.0.1 192.0.2.77 18431' base/logs/plain.txt
grep -qx '0:0:0:0:0:0:0:1 192.0.2.77 18431' base/logs/plain.txt
[ "$(awk '{ print $2 }' base/logs/plain.txt | sort -u)" = 192.0.2.77 ]
grep -q '"localAddr":"192.0.2.77"' base/logs/json.txt
grep -qx '0:0:0:0:0:0:0:1 192.0.2.77' base/logs/w3c.txt
echo "seen: the local address of each row is that of the name of the machine"
