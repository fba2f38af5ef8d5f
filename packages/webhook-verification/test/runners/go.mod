module vectors

go 1.18
